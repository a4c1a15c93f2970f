import { messageOf } from "../../../platform/errors/index.ts";
import { type ProcessExit, startProcess } from "../../../platform/process/index.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";

export interface AsideOptions {
  /** The program, its first arguments and those of this call. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onLine: (line: string, stream: "stdout" | "stderr") => void;
}

/** How a process beside us ended; `late` when it did not within its time, and was killed or left. */
export type AsideEnd =
  | ({ readonly kind: "ended" } & ProcessExit)
  | { readonly kind: "late" }
  | { readonly kind: "not-started"; readonly problem: string };

/** A result of 8 MiB is the longest there is. */
const lineCharsMax = 8 * 2 ** 20;

/**
 * Runs a process for no longer than its time. One that cannot even be killed, because a driver or a
 * file system holds it in the kernel, is not waited for: we end without it.
 */
export async function runAside(options: AsideOptions): Promise<AsideEnd> {
  const { command, env, timeoutMs, clock, signal, onLine } = options;
  const [file = "", ...args] = command;
  const enough = new AbortController();
  try {
    const started = await startProcess(file, args, {
      clock,
      env,
      cwd: "/",
      lineCharsMax,
      onLine,
      signal,
    });
    const late = sleep(clock, timeoutMs, AbortSignal.any([signal, enough.signal])).then(
      (): AsideEnd => ({ kind: "late" }),
    );
    const ended = started.exited.then((exit): AsideEnd => ({ kind: "ended", ...exit }));
    const end = await Promise.race([ended, late]);
    if (end.kind === "late") void started.stop({ graceMs: 0 });
    return end;
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "not-started", problem: messageOf(error) };
  } finally {
    enough.abort();
  }
}
