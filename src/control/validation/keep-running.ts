import { type Clock, sleep } from "../../platform/time/clock.ts";

const waitMsMin = 5_000;
const waitMsMax = 600_000;

/**
 * Opens something and runs it; what cannot be opened or breaks is opened anew after a wait, which doubles
 * until it has run for longer than the longest wait. Resolves when it ended in good order, or with the
 * signal.
 */
export async function keepRunning<T>(options: {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly first: T | undefined;
  /** Undefined where it cannot be opened now. Never rejects. */
  open(): Promise<T | undefined>;
  /** False where it broke. Never rejects. */
  run(opened: T): Promise<boolean>;
}): Promise<void> {
  const { clock, signal, first, open, run } = options;
  let waitMs = waitMsMin;
  let opened = first;
  while (!signal.aborted) {
    if (opened !== undefined) {
      const begunMs = clock.monotonicMs();
      if (await run(opened)) return;
      if (clock.monotonicMs() - begunMs > waitMsMax) waitMs = waitMsMin;
    }
    await sleep(clock, waitMs, signal).catch(() => {});
    waitMs = Math.min(2 * waitMs, waitMsMax);
    opened = signal.aborted ? undefined : await open();
  }
}
