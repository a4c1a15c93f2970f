import assert from "node:assert/strict";
import type { ChaosPlan, PlannedFault } from "../plan/index.ts";
import type { Attempts } from "./attempts.ts";

/**
 * Takes away all faults that the failure does not need. Each round finds the shortest beginning of what is
 * left that fails together with what is needed: its last fault is needed too. That takes about log2(n) runs
 * for each fault that stays, where removing chunk by chunk takes several times as many. Every plan that is
 * taken over has been run, so a failure that comes and goes costs runs, but never gives a plan that passes.
 */
export async function takeAwayFaults(attempts: Attempts): Promise<void> {
  const all = attempts.current.faults;
  const needed = new Set<PlannedFault>();
  const plan = (count: number): ChaosPlan =>
    withFaults(
      attempts.current,
      all.filter((fault, at) => at < count || needed.has(fault)),
    );
  let left = all.length;
  for (let round = 0; round <= all.length && left > 0 && !attempts.isSpent; round++) {
    const onlyNeeded = { plan: plan(0), change: keeps(needed.size) };
    if (await attempts.accepts(onlyNeeded, [plan(left >> 1)])) return;
    let [passing, failing] = [0, left];
    while (failing - passing > 1 && !attempts.isSpent) {
      const middle = (passing + failing) >> 1;
      const next = [plan((passing + middle) >> 1), plan((middle + failing) >> 1)];
      const change = keeps(plan(middle).faults.length);
      if (await attempts.accepts({ plan: plan(middle), change }, next)) failing = middle;
      else passing = middle;
    }
    const last = all[failing - 1];
    assert(last !== undefined, "a beginning that fails is not empty");
    needed.add(last);
    left = failing - 1;
  }
}

/**
 * Takes away single faults as long as one can be spared. True when it was shown of each that is left that
 * it cannot.
 */
export async function takeAwayOneByOne(attempts: Attempts): Promise<boolean> {
  const roundsMax = attempts.current.faults.length + 1;
  for (let round = 0; round < roundsMax; round++) {
    const { current } = attempts;
    const candidates = current.faults.map(({ id }) => ({
      plan: withFaults(
        current,
        current.faults.filter((fault) => fault.id !== id),
      ),
      change: `without ${id}`,
    }));
    if (!(await attempts.first(candidates))) return !attempts.isSpent;
  }
  return false;
}

export function withFaults(plan: ChaosPlan, faults: readonly PlannedFault[]): ChaosPlan {
  return { ...plan, faults };
}

/** The plan with one fault changed. */
export function withFault(plan: ChaosPlan, changed: PlannedFault): ChaosPlan {
  return withFaults(
    plan,
    plan.faults.map((fault) => (fault.id === changed.id ? changed : fault)),
  );
}

function keeps(count: number): string {
  return count === 0 ? "no fault" : `only ${count} ${count === 1 ? "fault" : "faults"}`;
}
