import { type Clock, sleep, type Timer } from "../../platform/time/clock.ts";
import type { ExperimentEventView } from "../api/experiments.ts";
import type { EventWithoutNumber } from "./child/orders.ts";

/** Four times a second is live for people, and little for the store. */
const flushEveryMs = 250;
/** A store that is gone is asked less and less often, and never more seldom than this. */
const retryMsMax = 10_000;
/** Nobody waits longer for the last events: somebody wants to know how it ended. */
const closeTriesMax = 4;

export interface EventFeedOptions {
  readonly clock: Clock;
  /** How many may wait for the store. */
  readonly heldMax: number;
  /** Must tolerate repeats: what was refused may have been written all the same. */
  write(events: readonly ExperimentEventView[]): Promise<void>;
  onWritten(lastSeq: number): void;
  onProblem(error: unknown): void;
}

/**
 * Events on their way into the store. Numbers them, writes them in batches, and tells how far it came; what the
 * store did not take comes again. Of more than the store keeps it holds the newest.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #held: ExperimentEventView[] = [];
  #nextSeq = 0;
  #timer: Timer | undefined;
  #isClosed = false;
  /** In a row. */
  #failures = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  add(event: EventWithoutNumber): void {
    this.#held.push({ seq: this.#nextSeq++, ...event });
    // Twice the limit before anything is moved: a shift for each event would cost the square.
    if (this.#held.length >= 2 * this.#options.heldMax) {
      this.#held = this.#held.slice(-this.#options.heldMax);
    }
    this.#flushSoon();
  }

  /** Everything that was added is in the store, unless that is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#flush();
    for (let tries = 1; this.#held.length > 0 && tries < closeTriesMax; tries++) {
      await sleep(this.#options.clock, flushEveryMs * 2 ** tries);
      await this.#flush();
    }
  }

  #flushSoon(): void {
    if (this.#isClosed) return;
    const waitMs = Math.min(flushEveryMs * 2 ** this.#failures, retryMsMax);
    this.#timer ??= this.#options.clock.setTimer(waitMs, () => {
      this.#timer = undefined;
      void this.#flush();
    });
  }

  #flush(): Promise<void> {
    // One after the other: the store takes them in order.
    this.#writing = this.#writing.then(async () => {
      const { heldMax, write, onWritten, onProblem } = this.#options;
      const events = this.#held.slice(-heldMax);
      const last = events.at(-1);
      if (last === undefined) return;
      this.#held = [];
      try {
        await write(events);
        this.#failures = 0;
        onWritten(last.seq);
      } catch (error) {
        // In front of what came meanwhile: whoever reads them in order sees no gap.
        this.#held = [...events, ...this.#held].slice(-heldMax);
        this.#failures++;
        this.#flushSoon();
        onProblem(error);
      }
    });
    return this.#writing;
  }
}
