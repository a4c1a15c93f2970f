import type { FailsHow } from "../../../../src/chaos/minimise/index.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import { restart, smallPlan } from "../../journal/lib/small-plan.ts";

/** A plan with so many faults; `f0` is the first. */
export function manyFaults(count: number): ChaosPlan {
  const faults = Array.from({ length: count }, (_, at) => restart(2 + (at % 9), at % 4, `f${at}`));
  return smallPlan(faults);
}

export function idsOf({ faults }: ChaosPlan): readonly string[] {
  return faults.map(({ id }) => id);
}

export interface CountedFailure {
  readonly fails: FailsHow;
  readonly runs: () => number;
}

/** A predicate, as a run, and how often it was asked. */
export function failsWhen(
  holds: (plan: ChaosPlan) => boolean | string,
  signature = "broken",
): CountedFailure {
  let runs = 0;
  const fails = async (plan: ChaosPlan): Promise<string | null> => {
    runs++;
    const found = holds(plan);
    if (typeof found === "string") return found;
    return found ? signature : null;
  };
  return { fails, runs: () => runs };
}

/** Fails exactly when all of these faults are there. */
export function needs(...ids: readonly string[]): (plan: ChaosPlan) => boolean {
  return (plan) => {
    const there = new Set(idsOf(plan));
    return ids.every((id) => there.has(id));
  };
}
