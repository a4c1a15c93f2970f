import {
  type Choice,
  type Fleet,
  type Openings,
  type Policy,
  type PublicEvent,
  secondsPerDay,
} from "./policy.ts";
import { isStale } from "./priority-queue.ts";

/** Z of the seed: a result counts for this long. */
export const staleAfterDaysDefault = 7;

/**
 * The seed's policy on a replay: the (node, check) pair whose result is oldest, never tested first,
 * and only when it is older than Z. Ties go by fleet order.
 *
 * @param options.staleAfterDays Z. @default 7
 */
export function createStalePolicy(
  fleet: Fleet,
  options: { readonly staleAfterDays?: number } = {},
): Policy {
  const { staleAfterDays = staleAfterDaysDefault } = options;
  const checks = fleet.checks.length;
  const testedS = new Float64Array(fleet.nodes.length * checks).fill(Number.NEGATIVE_INFINITY);

  const choose = (openings: Openings): Choice | undefined => {
    let best = -1;
    let bestS = Number.POSITIVE_INFINITY;
    for (let node = 0; node < fleet.nodes.length; node++) {
      if (!openings.isOpen(node)) continue;
      for (let pair = node * checks; pair < (node + 1) * checks; pair++) {
        const at = testedS[pair] ?? 0;
        if (at >= bestS || !openings.fits(node, pair - node * checks)) continue;
        if (!isStale((openings.nowS - at) / secondsPerDay, staleAfterDays)) continue;
        best = pair;
        bestS = at;
      }
    }
    if (best === -1) return undefined;
    const ageDays = (openings.nowS - bestS) / secondsPerDay;
    return {
      node: Math.floor(best / checks),
      check: best % checks,
      reason: () =>
        Number.isFinite(ageDays)
          ? `last tested ${ageDays.toFixed(1)} d ago, over ${staleAfterDays} d`
          : "never tested",
    };
  };
  const observe = (event: PublicEvent) => {
    if (event.type !== "tested" || event.outcome === "preempted") return;
    testedS[event.node * checks + event.check] = event.t;
  };
  return { name: "stale", observe, choose };
}
