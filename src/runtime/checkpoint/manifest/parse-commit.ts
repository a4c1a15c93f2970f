import { commitFileName, isTag } from "./checkpoint-name.ts";
import { commitDocument } from "./documents.ts";
import { fieldReader } from "./fields.ts";
import type { Commit } from "./manifest.ts";
import { readJson, requireCanonical } from "./read-json.ts";
import { type CorruptWhere, refuserOf } from "./refuse.ts";

/** No COMMIT is larger. */
export const commitBytesMax = 4096;
export const manifestBytesMax = 512 * 2 ** 20;
const generationMax = 999_999_999;

/**
 * Reads `COMMIT`.
 *
 * @throws E_CHECKPOINT_CORRUPT naming the rule
 */
export function parseCommit(
  bytes: Uint8Array,
  where: Omit<CorruptWhere, "file"> & { readonly file?: string },
): Commit {
  const refuse = refuserOf({ file: commitFileName, ...where });
  const read = fieldReader(refuse);
  const fields = read.record(readJson(bytes, commitBytesMax, refuse), "it", [
    "format",
    "version",
    "tag",
    "generation",
    "step",
    "manifestBytes",
    "manifestSha256",
    "files",
    "tensors",
    "totalBytes",
  ]);
  const { tag } = fields;
  const commit: Commit = {
    format: read.literal(fields["format"], "format", "tessera-commit"),
    version: read.literal(fields["version"], "version", 1),
    tag: isTag(tag) ? tag : refuse("tag", "its tag can name no checkpoint"),
    generation: read.integer(fields["generation"], "generation", { min: 1, max: generationMax }),
    step: fields["step"] === null ? null : read.integer(fields["step"], "step"),
    manifestBytes: read.integer(fields["manifestBytes"], "manifestBytes", {
      min: 2,
      max: manifestBytesMax,
    }),
    manifestSha256: read.sha256(fields["manifestSha256"], "manifestSha256"),
    files: read.integer(fields["files"], "files"),
    tensors: read.integer(fields["tensors"], "tensors"),
    totalBytes: read.integer(fields["totalBytes"], "totalBytes"),
  };
  requireCanonical(bytes, commitDocument(commit), { indent: 0, refuse });
  return commit;
}
