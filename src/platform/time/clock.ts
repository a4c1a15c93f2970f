/** Time as the code sees it. Everything that waits takes a Clock, so that tests own time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May jump when the machine's clock is set. */
  nowMs(): number;
  /** Milliseconds since an arbitrary start. Never goes back; use it for durations and deadlines. */
  monotonicMs(): number;
  /** Calls back once, after at least `delayMs`. */
  setTimer(delayMs: number, callback: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

/** Waits `delayMs`; rejects with the signal's reason as soon as the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
