import type { Clock, Timer } from "./clock.ts";

// Node turns a longer delay into 1 ms; split instead.
const delayMsMax = 2 ** 31 - 1;

/** The machine's own time. Timers do not keep the process alive on their own when `unref` is set. */
export function createRealClock(options: { readonly unref?: boolean } = {}): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    setTimer: (delayMs, callback) => realTimer(delayMs, callback, options.unref ?? false),
  };
}

function realTimer(delayMs: number, callback: () => void, unref: boolean): Timer {
  let handle: NodeJS.Timeout;
  const arm = (leftMs: number) => {
    const stepMs = Math.min(Math.max(leftMs, 0), delayMsMax);
    handle = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : callback()), stepMs);
    if (unref) handle.unref();
  };
  arm(delayMs);
  return { cancel: () => clearTimeout(handle) };
}
