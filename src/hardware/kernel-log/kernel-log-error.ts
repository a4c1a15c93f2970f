import { isTesseraError, messageOf, TesseraError } from "../../platform/errors/index.ts";

const problems: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "the operation is not permitted",
  ENOENT: "it does not exist",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EINVAL: "the kernel does not take such a record",
  EISDIR: "it is a folder",
};

/** An E_HW_KERNEL_LOG in words of our own, or in those of the failed system call; our own errors stay. */
export function kernelLogError(path: string, problem: unknown): TesseraError {
  if (isTesseraError(problem)) return problem;
  if (typeof problem === "string") return new TesseraError("E_HW_KERNEL_LOG", { path, problem });
  const said = problems[codeOf(problem) ?? ""] ?? messageOf(problem);
  return new TesseraError("E_HW_KERNEL_LOG", { path, problem: said }, { cause: problem });
}

/** The code of a failed system call. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
