import { messageOf, TesseraError } from "../errors/index.ts";

const problems: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than files may be here",
  EIO: "the device reports an input/output error",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "this process has too many open files",
  ENAMETOOLONG: "its name is too long",
  ENFILE: "this machine has too many open files",
  ENOENT: "it does not exist",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
};

/** The code of a failed system call (`ENOENT`), or "" for any other error. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Why a file operation failed, said for people. */
export function fileProblem(error: unknown): string {
  return problems[errorCodeOf(error)] ?? messageOf(error);
}

export function readError(path: string, error: unknown): TesseraError {
  return new TesseraError("E_FILE_READ", { path, problem: fileProblem(error) }, { cause: error });
}

export function writeError(path: string, error: unknown): TesseraError {
  const missing = errorCodeOf(error) === "ENOENT";
  const problem = missing ? "the folder it belongs in does not exist" : fileProblem(error);
  return new TesseraError("E_FILE_WRITE", { path, problem }, { cause: error });
}
