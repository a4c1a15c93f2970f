import { rehearseDeeds } from "../live/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import { refused } from "./check-cluster.ts";
import { type DeedContext, deedsOf } from "./deeds/index.ts";

/**
 * Has the API server try everything a plan does, without doing it: its rights, its admission, its
 * disruption budgets.
 *
 * @returns what it would allow, each in a few words.
 * @throws E_WORLD at the first that it would refuse.
 */
export function rehearse(
  plan: Pick<ChaosPlan, "faults">,
  context: DeedContext,
): Promise<readonly string[]> {
  return rehearseDeeds(plan, (fault) => deedsOf(fault, context), refused);
}
