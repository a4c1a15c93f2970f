import type { Clock } from "../../../platform/time/clock.ts";
import type { EventWithoutNumber } from "./orders.ts";

/** So many steps of a phase are told one by one; jobs of this length are read step by step. */
const eachMax = 2000;
/** After them one word in so long tells of all of them: people see no more, and readers have other work. */
const togetherMs = 100;

/** A simulated job does more steps in a second than anybody can watch. Their units are summed, so that rates stay true. */
export class StepThinning {
  readonly #clock: Clock;
  readonly #say: (event: EventWithoutNumber) => void;
  #phase: string | undefined;
  #count = 0;
  #lastMs = 0;
  #held: EventWithoutNumber | undefined;

  constructor(clock: Clock, say: (event: EventWithoutNumber) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  add(event: EventWithoutNumber): void {
    if (event.kind !== "step") {
      this.flush();
      this.#say(event);
      return;
    }
    if (event.phase !== this.#phase) {
      this.flush();
      this.#phase = event.phase;
      this.#count = 0;
    }
    this.#count++;
    const units = (this.#held?.units ?? 0) + (event.units ?? 0);
    this.#held = { ...event, units };
    const nowMs = this.#clock.monotonicMs();
    if (this.#count > eachMax && nowMs - this.#lastMs < togetherMs) return;
    this.#lastMs = nowMs;
    this.flush();
  }

  /** Says what is held back. */
  flush(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#say(held);
  }
}
