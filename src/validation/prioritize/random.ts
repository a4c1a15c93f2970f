import type { Rng } from "../../platform/rng/index.ts";
import type { Choice, Fleet, Openings, Policy } from "./policy.ts";

/** A random open node and check: what any policy must beat. */
export function createRandomPolicy(fleet: Fleet, rng: Rng): Policy {
  const stream = rng.stream("policy", "random");
  const choose = (openings: Openings): Choice | undefined => {
    const pairs: number[] = [];
    for (let node = 0; node < fleet.nodes.length; node++) {
      if (!openings.isOpen(node)) continue;
      for (let check = 0; check < fleet.checks.length; check++) {
        if (openings.fits(node, check)) pairs.push(node * fleet.checks.length + check);
      }
    }
    if (pairs.length === 0) return undefined;
    const pair = stream.pick(pairs);
    return {
      node: Math.floor(pair / fleet.checks.length),
      check: pair % fleet.checks.length,
      reason: () => `drawn from ${pairs.length} that are free`,
    };
  };
  return { name: "random", observe: () => {}, choose };
}
