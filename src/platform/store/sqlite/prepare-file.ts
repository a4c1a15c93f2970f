import { access, constants, mkdir, open, stat } from "node:fs/promises";
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
    if (!(await create(path))) await mayWrite(path);
  } catch (cause) {
    throw fileError(cause, shown);
  }
}

/** False when there is something already. */
async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, "ax", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Asks without opening. To close any handle of a file drops every lock this process has on it: where it
 * is a store in use here, the next process that closed it would take itself for the last, and delete the
 * WAL that is still written to.
 */
async function mayWrite(path: string): Promise<void> {
  if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
  await access(path, constants.R_OK | constants.W_OK);
}

/** What the file system refused, as an error that says why. */
export function fileError(cause: unknown, shown: string): TesseraError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const problem = problems[code] ?? messageOf(cause);
  return new TesseraError("E_STORE_UNUSABLE", { store: shown, problem }, { cause });
}
