import { type Clock, sleep } from "../../../src/platform/time/clock.ts";
import { ClusterError } from "../errors.ts";

export interface WaitOptions {
  readonly clock: Clock;
  /** What is waited for, as it reads in "gave up waiting for ...". */
  readonly what: string;
  readonly timeoutMs: number;
  /** Pause between two looks. Default 100 ms. */
  readonly intervalMs?: number;
}

/**
 * Looks until `look` gives something other than undefined or false, and returns that. A look that
 * throws counts as "not yet"; its message is in the error when time runs out.
 */
export async function waitFor<T>(
  options: WaitOptions,
  look: () => Promise<T | undefined | false>,
): Promise<T> {
  const { clock, what, timeoutMs, intervalMs = 100 } = options;
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  let lastProblem: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      lastProblem = undefined;
    } catch (problem) {
      if (problem instanceof GiveUp) throw problem.reason;
      lastProblem = problem;
    }
    if (clock.monotonicMs() >= deadlineMs) {
      const detail = lastProblem instanceof Error ? ` (${lastProblem.message})` : "";
      throw new ClusterError(
        `gave up waiting for ${what} after ${Math.round(timeoutMs / 1000)} s${detail}`,
        { cause: lastProblem },
      );
    }
    await sleep(clock, intervalMs);
  }
}

/** Thrown by a look to end the wait at once with this reason: it can no longer come true. */
export class GiveUp extends Error {
  override readonly name = "GiveUp";
  readonly reason: Error;

  constructor(reason: Error) {
    super(reason.message);
    this.reason = reason;
  }
}
