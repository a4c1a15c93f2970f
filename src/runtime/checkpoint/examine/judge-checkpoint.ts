import { basename, join } from "node:path";
import { messageOf } from "../../../platform/errors/index.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { readSmallFile } from "../files/index.ts";
import { folderProblems } from "../load/check-folder.ts";
import { checkHeader, chunksByFile } from "../load/check-header.ts";
import { readManifest } from "../load/read-manifest.ts";
import {
  commitFileName,
  type Manifest,
  type ManifestTensor,
  manifestFileName,
  parseManifest,
} from "../manifest/index.ts";
import { forEachPiece, OpenFiles, planAll } from "../reshard/index.ts";
import { type FolderToJudge, judgeFile } from "./judge-folder.ts";
import { readInOrder, type StoredTensor } from "./stored-tensor.ts";
import { StreamDigest } from "./stream-digest.ts";
import type { FileVerdict } from "./verdict.ts";
import { bad, badBy, good } from "./verdicts.ts";

/**
 * Judges every file of a checkpoint: COMMIT, manifest, shards with every piece and every tensor's
 * digest, and files that do not belong there. Of one that was never committed, or whose manifest is
 * damaged, shards are judged as plain safetensors files.
 */
export async function judgeCheckpoint(judging: FolderToJudge): Promise<readonly FileVerdict[]> {
  const { files, folder, shown, entries } = judging;
  const { status, manifest, problem } = await readManifest(files, folder);
  if (status === "committed" && manifest !== undefined) {
    return judgeShards(judging, manifest);
  }
  const verdicts = new Map<string, FileVerdict>();
  const at = (file: string) => join(shown, file);
  const culprit = textOr(problem?.details["file"], commitFileName);
  verdicts.set(culprit, badBy(at(culprit), problem));
  if (culprit === manifestFileName) verdicts.set(commitFileName, good(at(commitFileName)));
  else verdicts.set(manifestFileName, await judgeManifest(judging));
  for (const { name } of entries) {
    if (verdicts.has(name)) continue;
    if (name.endsWith(".safetensors")) {
      const path = join(folder, name);
      verdicts.set(name, (await judgeFile(files, { path, shown: at(name) })).verdict);
    } else {
      const why = "it is no part of a checkpoint";
      verdicts.set(name, bad(at(name), { rule: "stale-file", problem: why }));
    }
  }
  return [...verdicts.values()];
}

/** A manifest without a COMMIT to compare it with. */
async function judgeManifest({ files, folder, shown }: FolderToJudge): Promise<FileVerdict> {
  const path = join(shown, manifestFileName);
  try {
    const bytesMax = 512 * 1024 * 1024;
    const bytes = await readSmallFile(files, join(folder, manifestFileName), { bytesMax });
    parseManifest(bytes, { checkpoint: basename(folder) });
    return good(path);
  } catch (error) {
    return badBy(path, error);
  }
}

async function judgeShards(
  judging: FolderToJudge,
  manifest: Manifest,
): Promise<readonly FileVerdict[]> {
  const { files, folder, shown } = judging;
  const name = basename(folder);
  const verdicts = new Map<string, FileVerdict>();
  // The first thing that is wrong with a file is the one that is told.
  const refuse = (file: string, verdict: FileVerdict) => {
    if (!verdicts.has(file)) verdicts.set(file, verdict);
  };
  for (const { file, ...about } of await folderProblems(files, { name, folder }, manifest)) {
    refuse(file, bad(join(shown, file), about));
  }
  const open = new OpenFiles({ files, folder, checkpoint: name });
  const chunks = chunksByFile(manifest);
  for (const file of manifest.files) {
    if (verdicts.has(file.name)) continue;
    try {
      await checkHeader(open, file, chunks.get(file.name) ?? new Map());
    } catch (error) {
      refuse(file.name, badBy(join(shown, file.name), error));
    }
  }
  const unread = new Set(verdicts.keys());
  const isReadable = ({ chunks }: ManifestTensor) => chunks.every(({ file }) => !unread.has(file));
  const spoilt = new Set<string>();
  const from = { files, folder, checkpoint: name };
  const groups = planAll(manifest.tensors).filter(({ file }) => !unread.has(file));
  const onBad = (error: unknown, reads: readonly { readonly tensor: string }[]) => {
    for (const { tensor } of reads) spoilt.add(tensor);
    const file = fileOf(error);
    refuse(file, badBy(join(shown, file), error));
  };
  await forEachPiece({ from, groups, onBad }, () => undefined);
  for (const tensor of manifest.tensors) {
    if (!isReadable(tensor) || spoilt.has(tensor.name)) continue;
    const problem = await digestProblem(tensor, open);
    if (problem === undefined) continue;
    const about = { rule: "tensor-digest", problem, tensor: tensor.name };
    refuse(manifestFileName, bad(join(shown, manifestFileName), about));
  }
  for (const file of [commitFileName, manifestFileName, ...manifest.files.map((one) => one.name)]) {
    refuse(file, good(join(shown, file)));
  }
  return [...verdicts.values()];
}

function fileOf(error: unknown): string {
  const isDetailed = typeof error === "object" && error !== null && "details" in error;
  const details = isDetailed ? (error.details as Readonly<Record<string, unknown>>) : {};
  return textOr(details["file"], manifestFileName);
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

async function digestProblem(tensor: ManifestTensor, open: OpenFiles): Promise<string | undefined> {
  try {
    const digest = await digestOfStored(storedTensor(tensor), open);
    if (digest === tensor.digest) return undefined;
    return `its chunks make a tensor ${tensor.name} with the digest ${digest}, and it says ${tensor.digest}`;
  } catch (error) {
    return `the tensor ${tensor.name} cannot be read: ${messageOf(error)}`;
  }
}

/** The digest of a tensor of ours, read from its files a part at a time. */
export async function digestOfStored(tensor: StoredTensor, open: OpenFiles): Promise<string> {
  const digest = new StreamDigest(tensor.dtype, tensor.shape);
  for await (const bytes of readInOrder(tensor, open)) await digest.add(bytes);
  return digest.digest();
}

/** A tensor of a manifest. */
export function storedTensor({ name, dtype, shape, chunks, digest }: ManifestTensor): StoredTensor {
  const elementBytes = dtypeInfo(dtype).bytes;
  return {
    name,
    dtype,
    ours: dtype,
    declaredShape: shape,
    shape,
    elementBytes,
    chunks,
    digest,
  };
}
