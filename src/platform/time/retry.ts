import assert from "node:assert/strict";
import { type Clock, sleep } from "./clock.ts";

/** Whether to try again: no, after the usual delay, or after a delay the other side asked for. */
export type RetryDecision = boolean | { readonly afterMs: number };

export interface RetryOptions {
  readonly clock: Clock;
  /** Where the jitter comes from; any stream of an Rng. */
  readonly rng: { float(): number };
  /** How often the work is tried in all. @default 5 */
  readonly attemptsMax?: number;
  /** The upper bound of the first delay. @default 100 */
  readonly delayMs?: number;
  /** No delay of our own choosing is longer. @default 10_000 */
  readonly delayMsMax?: number;
  /** What each delay's upper bound is multiplied with for the next. @default 2 */
  readonly factor?: number;
  /**
   * `full` waits a random part of the bound, so that many callers who failed together do not come
   * back together; `none` waits the bound. @default "full"
   */
  readonly jitter?: "full" | "none";
  /** No new attempt starts later than this after the first; attempts under way are not cut short. */
  readonly deadlineMs?: number;
  /** Ends the waiting; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether this failure is worth another attempt. Retries every failure when absent. */
  readonly shouldRetry?: (error: unknown, attempt: number) => RetryDecision;
}

/**
 * Calls `work` until it succeeds, its failure is not worth retrying, or attempts or time run out.
 * A delay asked for by `shouldRetry` (a Retry-After header) is never cut short: if it does not fit
 * before the deadline, the call gives up at once.
 *
 * @param work gets the number of the attempt, from 1.
 * @throws the last failure, as it was; when it is an Error that can be extended, `attempts` on it
 * says how often the work was tried.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const { clock, signal, deadlineMs = Number.POSITIVE_INFINITY, attemptsMax = 5 } = options;
  assert(Number.isInteger(attemptsMax) && attemptsMax >= 1, "attemptsMax is at least 1");
  const startedMs = clock.monotonicMs();

  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = attempt < attemptsMax ? delayBeforeNext(error, attempt, options) : undefined;
      const elapsedMs = clock.monotonicMs() - startedMs;
      if (waitMs === undefined || elapsedMs + waitMs > deadlineMs)
        throw withAttempts(error, attempt);
      await sleep(clock, waitMs, signal);
    }
  }
}

function delayBeforeNext(
  error: unknown,
  attempt: number,
  options: RetryOptions,
): number | undefined {
  const decision = options.shouldRetry?.(error, attempt) ?? true;
  if (decision === false) return undefined;
  if (decision !== true) return Math.max(0, decision.afterMs);
  const { delayMs = 100, delayMsMax = 10_000, factor = 2, jitter = "full" } = options;
  const boundMs = Math.min(delayMsMax, delayMs * factor ** (attempt - 1));
  return jitter === "full" ? boundMs * options.rng.float() : boundMs;
}

/** Notes the number of attempts on the error itself, so that its type and code stay as they were. */
function withAttempts(error: unknown, attempts: number): unknown {
  if (error instanceof Error && Object.isExtensible(error)) {
    Object.defineProperty(error, "attempts", {
      value: attempts,
      configurable: true,
      writable: true,
    });
  }
  return error;
}
