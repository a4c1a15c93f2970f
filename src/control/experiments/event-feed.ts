import type { Clock, Timer } from "../../platform/time/clock.ts";
import type { ExperimentEventView } from "../api/experiments.ts";
import type { EventWithoutNumber } from "./child/orders.ts";

/** Four times a second is live for people, and little for the store. */
const flushEveryMs = 250;

export interface EventFeedOptions {
  readonly clock: Clock;
  /** How many may wait for the store. */
  readonly heldMax: number;
  write(events: readonly ExperimentEventView[]): Promise<void>;
  onWritten(lastSeq: number): void;
  onProblem(error: unknown): void;
}

/**
 * Events on their way into the store. Numbers them, writes them in batches, and tells how far it came; of more
 * than the store keeps it holds the newest.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #held: ExperimentEventView[] = [];
  #nextSeq = 0;
  #timer: Timer | undefined;
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
    this.#timer ??= this.#options.clock.setTimer(flushEveryMs, () => {
      this.#timer = undefined;
      void this.#flush();
    });
  }

  /** Everything that was added is in the store. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#flush();
  }

  #flush(): Promise<void> {
    // One after the other: the store takes them in order.
    this.#writing = this.#writing.then(async () => {
      const events = this.#held.slice(-this.#options.heldMax);
      const last = events.at(-1);
      if (last === undefined) return;
      this.#held = [];
      try {
        await this.#options.write(events);
        this.#options.onWritten(last.seq);
      } catch (error) {
        this.#options.onProblem(error);
      }
    });
    return this.#writing;
  }
}
