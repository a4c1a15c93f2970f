import { messageOf } from "../../platform/errors/index.ts";
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
export async function rehearse(
  { faults }: Pick<ChaosPlan, "faults">,
  context: DeedContext,
): Promise<readonly string[]> {
  const allowed: string[] = [];
  for (const fault of faults) {
    let target = fault.id;
    try {
      for (const deed of await deedsOf(fault, context)) {
        target = deed.target;
        await deed.act({ dryRun: true });
        allowed.push(`${fault.fault} of ${target}`);
      }
    } catch (error) {
      const problem = messageOf(error).replace(/\.$/, "");
      throw refused(`${fault.fault} of ${target} would be refused: ${problem}`);
    }
  }
  return allowed;
}
