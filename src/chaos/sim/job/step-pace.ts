import type { ChanceRows } from "../../chance/index.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";

/** How long ranks compute, each by a chance of its own. */
export class StepPace {
  readonly #context: JobContext;
  readonly #machines: JobContext["machines"];
  readonly #computeUs: number;
  readonly #jitter: number;
  readonly #chance: ChanceRows;

  constructor(context: JobContext) {
    const { computeUs, jitter } = context.workload.pace;
    this.#context = context;
    this.#machines = context.machines;
    this.#computeUs = computeUs;
    this.#jitter = jitter;
    this.#chance = context.engine.chance.rows("compute", context.machines.layout.slots);
  }

  /** Of a share of a step, on the device as it is now. */
  computeUs({ slot, rank }: SimProcess, share: number): number {
    const slow = this.#machines.slowFactorOf(slot);
    let us = this.#computeUs * share * slow;
    if (this.#jitter > 0) {
      us *= 1 + this.#jitter * (2 * this.#chance.float(slot) - 1);
    }
    if (slow > 1) {
      this.#context.effects.saw("pace", slot, `rank ${rank} computed ${slow} times as long`);
    }
    return Math.max(1, Math.round(us));
  }
}
