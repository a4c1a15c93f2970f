import { TesseraError } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";

/** What a look found: whether it is so, and in words what is instead. */
export interface Look {
  readonly holds: boolean;
  readonly seen: string;
}

export interface WaitOptions {
  /** As the subject of a sentence: "The cordon of node gpu-1". */
  readonly what: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** From one look to the next. @default 500 */
  readonly intervalMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks until something holds.
 *
 * @throws E_HW_TIMEOUT with what was seen last; whatever a look throws; the signal's reason.
 */
export async function waitFor<T extends Look>(
  options: WaitOptions,
  look: () => Promise<T>,
): Promise<T> {
  const { what, clock, timeoutMs, intervalMs = 500, signal } = options;
  const untilMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const found = await look();
    if (found.holds) return found;
    if (clock.monotonicMs() >= untilMs) {
      const seconds = Number((timeoutMs / 1000).toFixed(1));
      throw new TesseraError("E_HW_TIMEOUT", { what, seconds, seen: found.seen });
    }
    await sleep(clock, Math.min(intervalMs, Math.max(1, untilMs - clock.monotonicMs())), signal);
  }
}
