import { describe } from "vitest";
import { describeDoors } from "./doors.ts";
import { describeHandingIn } from "./handing-in.ts";
import { describeOrder } from "./order.ts";
import { describeOutages } from "./outages.ts";
import type { Site } from "./site.ts";
import { describeTimeouts } from "./timeouts.ts";

/**
 * How the loop behaves on real nodes, whatever runs its jobs there: one text for all of them.
 *
 * @param of the site, asked for when a test begins.
 */
export function describeLoopContract(title: string, of: () => Site): void {
  describe(title, () => {
    describeOrder(of);
    describeHandingIn(of);
    describeTimeouts(of);
    describeDoors(of);
    describeOutages(of);
  });
}
