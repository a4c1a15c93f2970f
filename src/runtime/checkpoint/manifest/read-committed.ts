import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { errorCodeOf, fileProblem, readError } from "../../../platform/files/file-problem.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import { type CheckpointFiles, isShortage, readSmallFile } from "../files/index.ts";
import { commitFileName, manifestFileName, parseCheckpointName } from "./checkpoint-name.ts";
import type { Commit, Manifest } from "./manifest.ts";
import { commitBytesMax, manifestBytesMax, parseCommit } from "./parse-commit.ts";
import { parseManifest } from "./parse-manifest.ts";
import { corrupt } from "./refuse.ts";

export interface Committed {
  readonly commit: Commit;
  readonly manifest: Manifest;
}

/**
 * COMMIT and manifest of a folder, when they are there and belong together and to the folder's name;
 * undefined when there is no COMMIT. The shard files are not looked at.
 *
 * @throws E_CHECKPOINT_CORRUPT; E_FILE_READ when this machine ran out of files or memory
 */
export async function readCommitted(
  files: CheckpointFiles,
  folder: string,
): Promise<Committed | undefined> {
  const name = basename(folder);
  const commitBytes = await readPart(files, folder, {
    file: commitFileName,
    bytesMax: commitBytesMax,
  });
  if (commitBytes === undefined) return undefined;
  const commit = parseCommit(commitBytes, { checkpoint: name });
  const at = { file: manifestFileName, bytesMax: manifestBytesMax };
  const manifestBytes = await readPart(files, folder, at);
  const refuse = (rule: string, problem: string, file: string = manifestFileName) =>
    corrupt({ checkpoint: name, file }, rule, problem);
  if (manifestBytes === undefined)
    throw refuse("manifest-missing", "it has a COMMIT and no manifest");
  if (manifestBytes.length !== commit.manifestBytes) {
    const problem = `it has ${manifestBytes.length} bytes, COMMIT says ${commit.manifestBytes}`;
    throw refuse("manifest-bytes", problem);
  }
  if (createHash("sha256").update(manifestBytes).digest("hex") !== commit.manifestSha256) {
    throw refuse("manifest-hash", "its SHA-256 is not the one in COMMIT");
  }
  const manifest = parseManifest(manifestBytes, { checkpoint: name });
  const problem = mismatchOf(name, commit, manifest);
  if (problem !== undefined) throw refuse("commit-fits", problem, commitFileName);
  return { commit, manifest };
}

/** What COMMIT, manifest and the folder's name say differently about each other, or undefined. */
function mismatchOf(name: string, commit: Commit, manifest: Manifest): string | undefined {
  const called = parseCheckpointName(name);
  const { tag, generation, step, files, tensors } = manifest;
  if (called?.tag !== tag || called.generation !== generation) {
    return `its manifest is that of ${tag}, save ${generation}`;
  }
  if (commit.tag !== tag || commit.generation !== generation || commit.step !== step) {
    return "COMMIT and manifest name different saves";
  }
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const counts = commit.files === files.length && commit.tensors === tensors.length;
  return counts && commit.totalBytes === totalBytes ? undefined : "COMMIT counts otherwise";
}

async function readPart(
  files: CheckpointFiles,
  folder: string,
  { file, bytesMax }: { readonly file: string; readonly bytesMax: number },
): Promise<Uint8Array | undefined> {
  try {
    return await readSmallFile(files, join(folder, file), { bytesMax });
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    if (isShortage(error)) throw readError(join(folder, file), error);
    const where = { checkpoint: basename(folder), file };
    const [rule, problem] = refusalOf(error, bytesMax);
    throw corrupt(where, rule, problem, { cause: error });
  }
}

function refusalOf(error: unknown, bytesMax: number): readonly [rule: string, problem: string] {
  switch (errorCodeOf(error)) {
    case "EFBIG":
      return ["size", `it is larger than ${formatBytes(bytesMax)}`];
    case "ELOOP":
      return ["link", "it is a symbolic link"];
    default:
      return ["readable", fileProblem(error)];
  }
}
