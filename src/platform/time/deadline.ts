import { TesseraError } from "../errors/index.ts";
import { formatDurationMs } from "../units/duration.ts";
import type { Clock } from "./clock.ts";

export interface DeadlineOptions {
  readonly clock: Clock;
  /** How long the work may take. */
  readonly timeoutMs: number;
  /** What is being done, as the subject of a sentence: "The list of nodes". */
  readonly what: string;
  /** Ends the work early; the call then rejects with this signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` and waits for it no longer than `timeoutMs`. The signal handed to `work` aborts when
 * the time is up or when the outer signal aborts. The call then settles at once, whether or not
 * `work` obeys; what `work` still returns or throws afterwards is ignored.
 *
 * @throws TesseraError E_TIMEOUT when the time is up; the outer signal's reason when that aborts;
 * otherwise whatever `work` throws.
 */
export function withDeadline<T>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, timeoutMs, what, signal: outer } = options;
  if (outer?.aborted) return Promise.reject(outer.reason);
  const inner = new AbortController();

  return new Promise<T>((resolve, reject) => {
    const giveUp = (reason: unknown) => {
      release();
      // Reject first: work that throws the abort reason synchronously must not be heard before.
      reject(reason);
      inner.abort(reason);
    };
    const onOuterAbort = () => giveUp(outer?.reason);
    const timer = clock.setTimer(timeoutMs, () =>
      giveUp(
        new TesseraError("E_TIMEOUT", { what, timeout: formatDurationMs(timeoutMs), timeoutMs }),
      ),
    );
    const release = () => {
      timer.cancel();
      outer?.removeEventListener("abort", onOuterAbort);
    };
    outer?.addEventListener("abort", onOuterAbort, { once: true });
    startNow(work, inner.signal).finally(release).then(resolve, reject);
  });
}

/** Calls `work` now and turns a synchronous throw into a rejection. */
async function startNow<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return await work(signal);
}
