import { messageOf } from "../../../platform/errors/index.ts";
import { type Clock, type Timer, withDeadline } from "../../../platform/time/index.ts";

/** One request: when it was sent, and what came of it. Times are the clock's monotonic ones. */
export interface RequestSample {
  readonly sentMs: number;
  readonly endedMs: number;
  /** `unknown`: it could not be asked, so that nothing is known of the service. */
  readonly outcome: "ok" | "failed" | "unknown";
  /** Why not `ok`. */
  readonly problem?: string;
}

export interface RequestSamplerOptions {
  /** Asks the service once. False: it does not serve; a throw: it could not be asked. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>;
  readonly clock: Clock;
  /** From one request to the next, whatever became of the one before. @default 250 */
  readonly intervalMs?: number;
  /** A request without an answer by then has failed. @default 2000 */
  readonly timeoutMs?: number;
  /** The sampling ends by itself after so many. @default 100_000 */
  readonly samplesMax?: number;
}

/** Requests at a fixed rate. */
export interface RequestSampler {
  /** Those that have ended, in the order they were sent. */
  readonly samples: readonly RequestSample[];
  /**
   * Sends no more; resolves when those under way have ended, each by its own limit at the latest.
   *
   * @param options `cut`: ends them now; what would have come of them is not known.
   */
  stop(options?: { readonly cut?: boolean }): Promise<void>;
}

/**
 * Asks at a fixed rate from now on. The next request is never held back by a slow one, so that an
 * outage has as many samples as the same time of good service; at most `timeoutMs / intervalMs`
 * and one more are under way at once.
 */
export function startSampler(options: RequestSamplerOptions): RequestSampler {
  const { clock, intervalMs = 250, samplesMax = 100_000 } = options;
  const ended: RequestSample[] = [];
  const underWay = new Set<Promise<void>>();
  const cutting = new AbortController();
  const startedMs = clock.monotonicMs();
  let sent = 0;
  let timer: Timer | undefined;
  let isStopped = false;
  const send = () => {
    if (isStopped || sent >= samplesMax) return;
    sent++;
    const request = askOnce(options, cutting.signal).then((sample) => {
      ended.push(sample);
      underWay.delete(request);
    });
    underWay.add(request);
    // Counted from the start: waiting a little too long each time must not add up.
    const dueMs = startedMs + sent * intervalMs;
    timer = clock.setTimer(Math.max(0, dueMs - clock.monotonicMs()), send);
  };
  send();
  return {
    get samples() {
      return ended.toSorted((a, b) => a.sentMs - b.sentMs);
    },
    stop: async ({ cut = false } = {}) => {
      isStopped = true;
      timer?.cancel();
      if (cut) cutting.abort(new Error("the sampling has ended"));
      await Promise.all(underWay);
    },
  };
}

async function askOnce(
  options: RequestSamplerOptions,
  signal: AbortSignal,
): Promise<RequestSample> {
  const { ask, clock, timeoutMs = 2000 } = options;
  const sentMs = clock.monotonicMs();
  const sample = (outcome: RequestSample["outcome"], problem?: string): RequestSample => ({
    sentMs,
    endedMs: clock.monotonicMs(),
    outcome,
    ...(problem === undefined ? {} : { problem }),
  });
  const late = Symbol("late");
  try {
    const answer = await withDeadline(
      { clock, timeoutMs, what: "A request", signal },
      async (deadline) => ask(deadline),
    ).catch((error: unknown) => {
      if (isDeadline(error, clock.monotonicMs() - sentMs >= timeoutMs)) return late;
      throw error;
    });
    if (answer === late) return sample("failed", `no answer within ${timeoutMs} ms`);
    return answer === true ? sample("ok") : sample("failed", "it does not serve");
  } catch (error) {
    return sample("unknown", messageOf(error));
  }
}

function isDeadline(error: unknown, isOver: boolean): boolean {
  return isOver && error instanceof Error && "code" in error && error.code === "E_TIMEOUT";
}
