import { join, resolve } from "node:path";
import { TesseraError } from "../../../platform/errors/index.ts";
import { errorCodeOf, fileProblem, readError } from "../../../platform/files/file-problem.ts";
import type { CheckpointFiles, FolderEntry } from "../files/index.ts";
import { commitFileName, manifestFileName, parseCheckpointName } from "../manifest/index.ts";

/** What there is at a path, by the names alone. */
export type Looked =
  | { readonly kind: "file"; readonly path: string }
  | {
      readonly kind: "checkpoint" | "root" | "folder";
      readonly path: string;
      readonly entries: readonly FolderEntry[];
    };

const shardPattern = /^shard-\d{5}-of-\d{5}\.safetensors$/;

/** What there is at a path. @throws E_CHECKPOINT_MISSING when there is nothing, E_FILE_READ */
export async function lookAt(files: CheckpointFiles, given: string): Promise<Looked> {
  const path = resolve(given);
  try {
    const entries = await files.list(path);
    if (isCheckpoint(entries)) return { kind: "checkpoint", path, entries };
    const isRoot = await hasCheckpoints(files, path, entries);
    return { kind: isRoot ? "root" : "folder", path, entries };
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === "ENOTDIR" && (await isFile(files, path))) return { kind: "file", path };
    throw code === "ENOENT" || code === "ENOTDIR"
      ? nothingThere(given, error)
      : readError(path, error);
  }
}

/** Whether a path that is no folder is there; what cannot be opened is, and is judged so later. */
async function isFile(files: CheckpointFiles, path: string): Promise<boolean> {
  try {
    await (await files.open(path)).close();
    return true;
  } catch (error) {
    return errorCodeOf(error) !== "ENOTDIR" && errorCodeOf(error) !== "ENOENT";
  }
}

/**
 * Whether a folder is one of our checkpoints, good or bad: it has what no other folder has. One
 * without tensors has no shards, and one that was never committed no COMMIT.
 */
export function isCheckpoint(entries: readonly FolderEntry[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  if (names.has(commitFileName) || [...names].some((name) => shardPattern.test(name))) return true;
  return names.size === 1 && names.has(manifestFileName);
}

/** Folders of a root that say what it is; the others need not be looked at. */
const lookedAtMax = 1000;

async function hasCheckpoints(
  files: CheckpointFiles,
  path: string,
  entries: readonly FolderEntry[],
): Promise<boolean> {
  const folders = entries.filter(
    ({ kind, name }) => kind === "folder" && parseCheckpointName(name) !== undefined,
  );
  for (const { name } of folders.slice(0, lookedAtMax)) {
    const inside = await files.list(join(path, name)).catch(() => []);
    if (isCheckpoint(inside)) return true;
  }
  return false;
}

export function nothingThere(path: string, error?: unknown): TesseraError {
  const nothing = "there is no finished checkpoint and no safetensors file at this path";
  const problem = error === undefined ? nothing : fileProblem(error);
  const details = { where: `at ${resolve(path)}`, problem };
  return new TesseraError("E_CHECKPOINT_MISSING", details, { cause: error });
}
