import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock, Timer } from "../../../platform/time/index.ts";
import type { ViewTrust } from "../cluster.ts";

export interface LookerOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** One look; rejects when it saw nothing. */
  readonly look: (signal: AbortSignal) => Promise<void>;
  /** Hears of every look that succeeded, when it counts already. */
  readonly onSeen: () => void;
  /** Hears of every look that failed. */
  readonly onFailure: (error: unknown) => void;
  /** A look that is asked for comes after this long at the soonest, so that many wishes are one look. @default 500 */
  readonly soonMs?: number;
}

const soonMsDefault = 500;
const backoffMax = 6;
/** A controller that takes long to answer is asked less often: it has other things to do. */
const restShare = 5;
/** But not so seldom that nothing is known any more. */
const restMsMax = 60_000;
/** A controller that is restarted is away for a few seconds; that is no news. */
const patienceMs = 15_000;

/** Looks again and again, one look at a time; sooner when asked, later while looking fails. */
export class Looker {
  readonly #options: LookerOptions;
  readonly #stop = new AbortController();
  #timer: Timer | undefined;
  /** When the timer ends, by the stopwatch. */
  #dueMs = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #asked = false;
  #failures = 0;
  #problem = "";
  /** How long the last look took. */
  #lookMs = 0;
  #seen: { readonly atMs: number; readonly monotonicMs: number } | undefined;

  constructor(options: LookerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#begin();
  }

  /** Has it look soon: something was changed. */
  ask(): void {
    if (this.#stop.signal.aborted) return;
    this.#asked = true;
    const soonMs = this.#soonMs;
    // Only ever sooner: wishes that keep coming must not put off the look that the first of them asked for.
    const isSooner = this.#options.clock.monotonicMs() + soonMs < this.#dueMs;
    if (this.#looking === undefined && isSooner) this.#schedule(soonMs);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error("the cluster is no longer looked at"));
    this.#timer?.cancel();
    await this.#looking;
  }

  trust(): ViewTrust {
    const { clock } = this.#options;
    const why = this.#problem === "" ? "" : `: ${this.#problem.replace(/\.$/, "")}`;
    if (this.#seen === undefined) {
      return { state: "starting", reason: `The controller has not answered yet${why}.` };
    }
    const { atMs: sinceMs, monotonicMs } = this.#seen;
    if (this.#stop.signal.aborted) {
      return { state: "stale", sinceMs, reason: "The cluster is no longer looked at." };
    }
    if (clock.monotonicMs() - monotonicMs <= this.#lookMs + 2 * this.#restMs + patienceMs) {
      return { state: "current" };
    }
    return { state: "stale", sinceMs, reason: `The controller has not answered since then${why}.` };
  }

  #schedule(delayMs: number): void {
    const { clock } = this.#options;
    this.#timer?.cancel();
    this.#dueMs = clock.monotonicMs() + delayMs;
    this.#timer = clock.setTimer(delayMs, () => this.#begin());
  }

  #begin(): void {
    this.#timer?.cancel();
    if (this.#stop.signal.aborted || this.#looking !== undefined) return;
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#stop.signal.aborted) return;
      this.#schedule(this.#asked && this.#failures === 0 ? this.#soonMs : this.#delayMs());
    });
  }

  /** Whoever asks waits as long as the last look took: a controller that is slow is not asked all the time. */
  get #soonMs(): number {
    const { soonMs = soonMsDefault } = this.#options;
    return Math.max(soonMs, Math.min(this.#lookMs, restMsMax));
  }

  get #restMs(): number {
    return Math.max(this.#options.everyMs, Math.min(restShare * this.#lookMs, restMsMax));
  }

  #delayMs(): number {
    if (this.#failures === 0) return this.#restMs;
    return this.#options.everyMs * Math.min(2 ** (this.#failures - 1), backoffMax);
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { clock, look, onSeen, onFailure } = this.#options;
    this.#asked = false;
    // What is seen is at least as new as the beginning of the look.
    const begun = { atMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
    try {
      await look(this.#stop.signal);
      this.#failures = 0;
      this.#problem = "";
      this.#seen = begun;
      this.#lookMs = clock.monotonicMs() - begun.monotonicMs;
      onSeen();
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#failures++;
      this.#problem = messageOf(error);
      onFailure(error);
    }
  }
}
