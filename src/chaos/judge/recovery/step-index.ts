import type { JobEvent } from "../../record/index.ts";
import type { StepEvent } from "../lineage.ts";

/** The steps of a run by time: months of a large job have a million of them. */
export class StepIndex {
  readonly #steps: readonly StepEvent[];
  readonly #furthest: Float64Array;

  constructor(events: readonly JobEvent[]) {
    this.#steps = events.filter((event): event is StepEvent => event.kind === "step");
    this.#furthest = new Float64Array(this.#steps.length);
    let furthest = 0;
    for (const [at, { step }] of this.#steps.entries()) {
      furthest = Math.max(furthest, step);
      this.#furthest[at] = furthest;
    }
  }

  /** Whether a step ended after the one moment and before the other. */
  hasBetween(afterUs: number, beforeUs: number): boolean {
    const next = this.#steps[this.#firstAfter(afterUs)];
    return next !== undefined && next.atUs < beforeUs;
  }

  /** The furthest step that had been reached at a moment; 0: none. */
  furthestAt(atUs: number): number {
    return this.#furthest[this.#firstAfter(atUs) - 1] ?? 0;
  }

  /** When a step of at least this number ended after a moment. */
  reachedAfter(afterUs: number, step: number): number | null {
    for (let at = this.#firstAfter(afterUs); at < this.#steps.length; at++) {
      const one = this.#steps[at];
      if (one !== undefined && one.step >= step) return one.atUs;
    }
    return null;
  }

  #firstAfter(atUs: number): number {
    let low = 0;
    let high = this.#steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#steps[middle]?.atUs ?? 0) <= atUs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
