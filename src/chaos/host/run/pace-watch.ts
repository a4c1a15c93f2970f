import type { FaultParams } from "../../fault/catalogue/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import type { ToRunner } from "../control/messages.ts";
import { slotsOfFault } from "../faults/targets.ts";

type Pace = Extract<ToRunner, { type: "pace" }>;

/** Steps that are kept while their slowest ranks are waited for. */
const stepsMax = 64;
/** A rank that is slowed is slower than others by at least so much of what it was slowed by. */
const shownShare = 0.5;

/** How long each rank computes, and how many exchanges it has entered. */
export class PaceWatch {
  readonly #plan: ChaosPlan;
  readonly #saw: (injection: string, what: string) => void;
  readonly #collectives = new Map<number, Pace["collectives"]>();
  readonly #steps = new Map<number, Map<number, number>>();

  constructor(plan: ChaosPlan, saw: (injection: string, what: string) => void) {
    this.#plan = plan;
    this.#saw = saw;
  }

  collectivesOf(slot: number): Pace["collectives"] {
    return this.#collectives.get(slot) ?? { dp: 0, tp: 0, pp: 0 };
  }

  report(slot: number, { step, computeUs, collectives }: Pace): void {
    this.#collectives.set(slot, collectives);
    const times = this.#steps.get(step) ?? new Map<number, number>();
    this.#steps.set(step, times.set(slot, computeUs));
    if (this.#steps.size > stepsMax) this.#steps.delete(Math.min(...this.#steps.keys()));
    for (const fault of this.#plan.faults) {
      if (fault.fault !== "straggler") continue;
      const { factor } = fault.params as FaultParams<"straggler">;
      const slow = slotsOfFault(fault, this.#plan.fleet);
      const others = [...times].flatMap(([of, us]) => (slow.includes(of) ? [] : [us]));
      const own = Math.max(...slow.map((of) => times.get(of) ?? 0));
      if (others.length === 0 || own < shownShare * factor * medianOf(others)) continue;
      this.#saw(
        fault.id,
        `in step ${step} it computed for ${own} µs, the others for ${medianOf(others)} µs`,
      );
    }
  }
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
