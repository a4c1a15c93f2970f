import type { WatchEnd } from "./watch-session.ts";

export interface NextStep {
  readonly relist: boolean;
  /** Wait before it: none, the usual backoff, or as long as the server asked. */
  readonly wait: "none" | "backoff" | { readonly afterMs: number };
}

/** After this many failed attempts to go on, a new list is more likely to work. */
const failuresBeforeRelist = 3;
/** A server that asks for more patience than this is asked again anyway. */
const retryAfterMsMax = 60_000;

/** What to do after a watch ended; `failures` in a row, this one included if it was one. */
export function nextStep(end: WatchEnd, failures: number): NextStep {
  if (end.kind === "expired") return { relist: true, wait: failures > 1 ? "backoff" : "none" };
  const relist = failures >= failuresBeforeRelist;
  if (end.kind === "ended") return { relist, wait: failures > 0 ? "backoff" : "none" };
  return { relist, wait: patience(end.retryAfterMs) };
}

/** What to do after a list failed: list again, no sooner than the server asked. */
export function stepAfterFailedList(retryAfterMs: number | undefined): NextStep {
  return { relist: true, wait: patience(retryAfterMs) };
}

function patience(retryAfterMs: number | undefined): NextStep["wait"] {
  return retryAfterMs === undefined
    ? "backoff"
    : { afterMs: Math.min(retryAfterMs, retryAfterMsMax) };
}

/** Doubles with each failure up to a limit; the random half keeps many clients from coming at once. */
export function backoffMs(
  failures: number,
  random: { float(): number },
  bounds: { readonly baseMs: number; readonly maxMs: number },
): number {
  const exponent = Math.min(Math.max(failures - 1, 0), 30);
  const boundMs = Math.min(bounds.maxMs, bounds.baseMs * 2 ** exponent);
  return boundMs * (0.5 + 0.5 * random.float());
}
