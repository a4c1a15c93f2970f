import type { Clock } from "../../platform/time/clock.ts";
import {
  forgetAbsences,
  type Look,
  nothingSeen,
  type Sightings,
  see,
  seePlanned,
} from "./sightings.ts";

// Something absent before a longer pause may have been there in between.
const pauseMsMax = 60_000;

/**
 * What a process has seen of a cluster, over all its terms of leading: a loop that keeps losing and
 * regaining the lead must still come to see that something has lasted for long enough.
 */
export class Eyes {
  #sightings: Sightings = nothingSeen;
  #lookedMs = Number.NEGATIVE_INFINITY;
  readonly #clock: Clock;

  /** @param clock this machine's: pauses between terms have nothing to do with the cluster's time. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A term begins. */
  open(): void {
    if (this.#clock.monotonicMs() - this.#lookedMs > pauseMsMax) this.blink();
  }

  look(look: Look): Sightings {
    this.#sightings = see(this.#sightings, look);
    this.#lookedMs = this.#clock.monotonicMs();
    return this.#sightings;
  }

  /** Runs were planned this very moment, by this process. */
  planned(runIds: readonly string[], monotonicMs: number): void {
    this.#sightings = seePlanned(this.#sightings, runIds, monotonicMs);
  }

  /** Absences cannot be seen now, and those seen before count no more. */
  blink(): void {
    this.#sightings = forgetAbsences(this.#sightings);
  }
}
