import { execFile } from "node:child_process";
import { ClusterError } from "../errors.ts";
import { programPath } from "./programs.ts";

export interface RunOptions {
  readonly timeoutMs?: number;
  readonly cwd?: string;
  /** Added to a PATH that has the usual folders; nothing else is passed on. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Given to the program's standard input. */
  readonly input?: string;
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const outputBytesMax = 64 * 1024 * 1024;

/** Runs a program to its end. Never throws for an exit status; 127 means it could not be started. */
export function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      {
        timeout: options.timeoutMs ?? 60_000,
        killSignal: "SIGKILL",
        maxBuffer: outputBytesMax,
        env: { PATH: programPath(), ...options.env },
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve({ exitCode: 0, stdout, stderr });
        else if (typeof error.code === "number") resolve({ exitCode: error.code, stdout, stderr });
        else if (error.killed) resolve({ exitCode: 124, stdout, stderr });
        else resolve({ exitCode: 127, stdout, stderr: stderr || error.message });
      },
    );
    // A program that ends without reading its input is no failure of ours.
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input ?? "");
  });
}

/** Runs a program that must succeed and returns what it printed; its last words are in the error. */
export async function runChecked(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const result = await run(program, args, options);
  if (result.exitCode === 0) return result.stdout;
  const said = (result.stderr.trim() || result.stdout.trim()).split("\n").at(-1) ?? "";
  throw new ClusterError(
    `${program} ${args.slice(0, 3).join(" ")} ended with ${result.exitCode}: ${said}`,
  );
}
