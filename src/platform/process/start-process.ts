import type { Readable } from "node:stream";
import { LineSplitter } from "./line-splitter.ts";
import type { ProcessExit, ProcessOptions } from "./options.ts";
import { startGroup } from "./process-group.ts";

export interface StartProcessOptions extends ProcessOptions {
  /** Gets each line of output, without its line end, as soon as it is complete. */
  readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** Longer lines are cut off and end in "…". @default 16384 */
  readonly lineCharsMax?: number;
  /** What the program reads on its standard input. @default nothing */
  readonly input?: string | Uint8Array;
}

/** A program that runs beside us until it ends or is stopped. */
export interface RunningProcess {
  /** The program's process id, and the id of its process group. */
  readonly pid: number;
  /** How the program ended; resolves when its whole group is gone. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** SIGTERM to the group, SIGKILL to what is left after `graceMs`; says how the program ended. */
  stop(options?: { readonly graceMs?: number }): Promise<ProcessExit>;
}

/**
 * Starts a long-lived program in a process group of its own, never through a shell. Its output is
 * always read, so that it cannot block on a full pipe.
 *
 * @throws ProcessStartError when the program cannot be started; the signal's reason when
 * that had aborted before.
 */
export async function startProcess(
  file: string,
  args: readonly string[],
  options: StartProcessOptions,
): Promise<RunningProcess> {
  const { signal, onLine = () => {}, lineCharsMax = 16_384 } = options;
  signal?.throwIfAborted();
  const group = await startGroup(file, args, options);
  const finishes = [
    readLines(group.stdout, { lineCharsMax, onLine: (line) => onLine(line, "stdout") }),
    readLines(group.stderr, { lineCharsMax, onLine: (line) => onLine(line, "stderr") }),
  ];

  const onAbort = () => void group.stop();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  const exited = group.ended.then((exit) => {
    signal?.removeEventListener("abort", onAbort);
    for (const finish of finishes) finish();
    return exit;
  });
  return {
    pid: group.pid,
    exited,
    stop: async (stopOptions) => {
      await group.stop(stopOptions);
      return exited;
    },
  };
}

function readLines(
  stream: Readable,
  options: { readonly lineCharsMax: number; readonly onLine: (line: string) => void },
): () => void {
  const splitter = new LineSplitter(options);
  stream.on("data", (chunk: Buffer) => splitter.push(chunk));
  return () => splitter.end();
}
