import { sharedRunLayout } from "./shared-run.ts";

export interface PatienceOptions {
  /** How long one look lasts, in milliseconds. */
  readonly lookMs: number;
  /** So many looks in a row without a sign of life mean that a helper is lost. */
  readonly looksMax: number;
}

/**
 * Waits until every job has ended; the caller has seen to it that none is left to take. It counts
 * looks and not time: a process that was stopped and goes on has lost one look, not its helpers.
 *
 * @returns whether all ended; false when a helper gave no sign of life for too long.
 */
export function awaitHelpers(
  shared: Int32Array<SharedArrayBuffer>,
  o: { readonly jobCount: number; readonly patience: PatienceOptions },
): boolean {
  const { lookMs, looksMax } = o.patience;
  let looks = 0;
  let lastSteps = -1;
  for (;;) {
    const ended = Atomics.load(shared, sharedRunLayout.ended);
    if (ended === o.jobCount) return true;
    const woken = Atomics.wait(shared, sharedRunLayout.ended, ended, lookMs) !== "timed-out";
    const steps = Atomics.load(shared, sharedRunLayout.steps);
    looks = woken || steps !== lastSteps ? 0 : looks + 1;
    lastSteps = steps;
    if (looks >= looksMax) return false;
  }
}
