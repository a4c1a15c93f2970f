import { existsSync } from "node:fs";
import { messageOf } from "../errors/index.ts";

/**
 * A program that could not be started, in words for people. Whoever needed the program makes its own
 * error of it, which knows what the program was needed for.
 */
export class ProcessStartError extends Error {
  override readonly name = "ProcessStartError";
  readonly program: string;
  /** Whether there is no such program, as opposed to one that cannot be run. */
  readonly missing: boolean;

  constructor(
    program: string,
    options: { readonly cwd: string | undefined; readonly cause: unknown },
  ) {
    const { cwd, cause } = options;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    // For a missing folder the system gives the same code as for a missing program.
    const folderMissing = code === "ENOENT" && cwd !== undefined && !existsSync(cwd);
    const problem = folderMissing
      ? `the folder ${cwd} to run it in does not exist`
      : (problems[code] ?? messageOf(cause));
    super(`Cannot start ${program}: ${problem}`, { cause });
    this.program = program;
    this.missing = code === "ENOENT" && !folderMissing;
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program",
  EACCES: "it is not executable for this user",
  EAGAIN: "this user has too many processes",
  EMFILE: "this process has too many open files",
  ENFILE: "this machine has too many open files",
  ENOMEM: "this machine is out of memory",
  E2BIG: "its arguments and environment are too long",
};
