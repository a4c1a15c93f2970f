import type { CheckpointFiles } from "../files/index.ts";
import { commitFileName, corrupt, type Manifest, manifestFileName } from "../manifest/index.ts";
import { refused } from "../reshard/index.ts";
import type { CheckpointFolder } from "./read-manifest.ts";

/** One thing that is wrong with what lies in a folder. */
export interface FolderProblem {
  readonly file: string;
  readonly rule: "file-missing" | "file-kind" | "file-size" | "stale-file";
  readonly problem: string;
}

/**
 * Compares what lies in a checkpoint's folder with its manifest: every file is there as a regular
 * file with its size, and nothing else is.
 *
 * @throws E_CHECKPOINT_CORRUPT when the folder cannot be read
 */
export async function folderProblems(
  files: CheckpointFiles,
  { name, folder }: CheckpointFolder,
  manifest: Manifest,
): Promise<readonly FolderProblem[]> {
  const entries = await files.list(folder).catch((error: unknown) => {
    throw refused(error, { checkpoint: name, file: name });
  });
  const found = new Map(entries.map((entry) => [entry.name, entry]));
  const named = new Map(manifest.files.map((file) => [file.name, file.bytes]));
  const problems: FolderProblem[] = [];
  for (const [file, bytes] of named) {
    const entry = found.get(file);
    if (entry === undefined) {
      problems.push({ file, rule: "file-missing", problem: "it is not there" });
    } else if (entry.kind !== "file") {
      const problem = `it is ${kinds[entry.kind]}, and no regular file`;
      problems.push({ file, rule: "file-kind", problem });
    } else if (entry.bytes !== bytes) {
      const problem = `it has ${entry.bytes} bytes, and the manifest says ${bytes}`;
      problems.push({ file, rule: "file-size", problem });
    }
  }
  for (const { name: file } of entries) {
    if (named.has(file) || file === commitFileName || file === manifestFileName) continue;
    const problem = "the manifest does not name it, so that two saves may be mixed here";
    problems.push({ file, rule: "stale-file", problem });
  }
  return problems;
}

const kinds = { folder: "a folder", link: "a symbolic link", other: "a device or a pipe" } as const;

/** @throws E_CHECKPOINT_CORRUPT with the first problem */
export async function checkFolder(
  files: CheckpointFiles,
  folder: CheckpointFolder,
  manifest: Manifest,
): Promise<void> {
  const [first] = await folderProblems(files, folder, manifest);
  if (first === undefined) return;
  throw corrupt({ checkpoint: folder.name, file: first.file }, first.rule, first.problem);
}
