import type { ChanceStream } from "../../chance/index.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";

/** How long ranks compute, each by a chance of its own. */
export class StepPace {
  readonly #context: JobContext;
  readonly #chance: (ChanceStream | undefined)[] = [];

  constructor(context: JobContext) {
    this.#context = context;
  }

  /** Of a share of a step, on the device as it is now. */
  computeUs({ slot, rank }: SimProcess, share: number): number {
    const { engine, machines, effects, workload } = this.#context;
    const { computeUs, jitter } = workload.pace;
    const slow = machines.slowFactorOf(slot);
    let us = computeUs * share * slow;
    if (jitter > 0) {
      const chance = (this.#chance[slot] ??= engine.chance.stream("compute", slot));
      us *= 1 + jitter * (2 * chance.float() - 1);
    }
    if (slow > 1) effects.saw("pace", slot, `rank ${rank} computed ${slow} times as long`);
    return Math.max(1, Math.round(us));
  }
}
