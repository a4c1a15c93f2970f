import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf, TesseraError } from "../../errors/index.ts";

const problems: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk is mounted read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "its path is too long",
};

/**
 * Makes sure a file exists and can be written, its folders included. What is created is for this
 * user only, since the store holds token hashes; SQLite gives its other files the same mode.
 *
 * @throws E_STORE_UNUSABLE that says what is in the way.
 */
export async function prepareFile(path: string, shown: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await (await open(path, "a", 0o600)).close();
  } catch (cause) {
    throw fileError(cause, shown);
  }
}

/** What the file system refused, as an error that says why. */
export function fileError(cause: unknown, shown: string): TesseraError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const problem = problems[code] ?? messageOf(cause);
  return new TesseraError("E_STORE_UNUSABLE", { store: shown, problem }, { cause });
}
