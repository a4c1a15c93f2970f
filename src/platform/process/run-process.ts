import { CappedOutput } from "./capped-output.ts";
import type { ProcessExit, ProcessOptions } from "./options.ts";
import { startGroup } from "./process-group.ts";

export interface RunProcessOptions extends ProcessOptions {
  /** How long the program may run. */
  readonly timeoutMs: number;
  /** How much of stdout and of stderr is kept, each: the beginning and the end. @default 1 MiB */
  readonly outputBytesMax?: number;
  /** What the program reads on its standard input. @default nothing */
  readonly input?: string | Uint8Array;
}

export interface ProcessResult extends ProcessExit {
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the middle of stdout or stderr was left out. */
  readonly truncated: boolean;
  /** Whether the program was ended because its time was up. */
  readonly timedOut: boolean;
  readonly durationMs: number;
}

/**
 * Runs a program to its end and returns what it said. Never uses a shell. The program gets a
 * process group of its own; when it ends, or its time is up, or the signal aborts, the whole group
 * ends. A non-zero exit code is a result, not an error.
 *
 * @throws ProcessStartError when the program cannot be started; the signal's reason when
 * that aborted, after the group has ended.
 */
export async function runProcess(
  file: string,
  args: readonly string[],
  options: RunProcessOptions,
): Promise<ProcessResult> {
  const { clock, timeoutMs, signal, outputBytesMax = 2 ** 20 } = options;
  signal?.throwIfAborted();
  const startedMs = clock.monotonicMs();
  const group = await startGroup(file, args, options);
  const stdout = new CappedOutput(outputBytesMax);
  const stderr = new CappedOutput(outputBytesMax);
  group.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  group.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));

  let timedOut = false;
  let aborted = false;
  const timer = clock.setTimer(timeoutMs, () => {
    timedOut = true;
    void group.stop();
  });
  const onAbort = () => {
    aborted = true;
    void group.stop();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  const exit = await group.ended;
  timer.cancel();
  signal?.removeEventListener("abort", onAbort);
  if (aborted) throw signal?.reason;
  return {
    ...exit,
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.truncated || stderr.truncated,
    timedOut,
    durationMs: clock.monotonicMs() - startedMs,
  };
}
