import type { StepNews, ToCoordinator } from "./messages.ts";

type Stepped = Extract<ToCoordinator, { type: "stepped" }>;

/** What ranks say of a step. All ranks that have the same news say the same, so one message serves them all. */
export class StepWords {
  #last: Stepped | null = null;

  of(generation: number, report: StepNews): Stepped {
    const last = this.#last;
    if (last !== null && last.report === report && last.generation === generation) return last;
    this.#last = { type: "stepped", generation, report };
    return this.#last;
  }
}
