const everyMs = 60_000;
const restMsMax = 30 * 60_000;
/** A database that takes long to answer has other things to do. */
const restShare = 10;

/** What happened while nobody looked is told of for so long; whoever records signs knows repeats. */
const windowMsMax = 24 * 3_600_000;
const windowMsMin = 15 * 60_000;
const windowShrink = 4;
/** What fails sooner was refused, and not too much to ask. */
const slowMs = 10_000;
/** Ends come on record late, so the last look's time is looked at again. */
const overlapMs = 5 * 60_000;

/**
 * When ended jobs are asked for, and how far back. A question that failed comes again later and
 * later, and one that took long is for less each time: what a database cannot answer in time it would fail
 * to answer for ever. What is older than that is not told then.
 */
export class HistoryPace {
  #failures = 0;
  #slowFailures = 0;
  #askedAtMs: number | undefined;
  /** By the stopwatch. */
  #begunMs = 0;
  #dueMs = Number.NEGATIVE_INFINITY;

  isDue(monotonicMs: number): boolean {
    return monotonicMs >= this.#dueMs;
  }

  /** From when on history has to be asked for. */
  sinceMs(nowMs: number): number {
    const windowMs = Math.max(windowMsMin, windowMsMax / windowShrink ** this.#slowFailures);
    const wantedMs = (this.#askedAtMs ?? Number.NEGATIVE_INFINITY) - overlapMs;
    return Math.max(wantedMs, nowMs - windowMs);
  }

  begin(monotonicMs: number): void {
    this.#begunMs = monotonicMs;
  }

  /** @param askedAtMs the time until which all is known now */
  succeeded(askedAtMs: number, monotonicMs: number): void {
    this.#askedAtMs = askedAtMs;
    this.#failures = 0;
    this.#slowFailures = 0;
    this.#rest(monotonicMs, everyMs);
  }

  failed(monotonicMs: number): void {
    this.#failures++;
    if (monotonicMs - this.#begunMs >= slowMs) this.#slowFailures++;
    this.#rest(monotonicMs, everyMs * 2 ** this.#failures);
  }

  #rest(monotonicMs: number, leastMs: number): void {
    const tookMs = monotonicMs - this.#begunMs;
    this.#dueMs = monotonicMs + Math.min(restMsMax, Math.max(leastMs - tookMs, restShare * tookMs));
  }
}
