import { messageOf } from "../../platform/errors/index.ts";
import type { ChaosPlan, PlannedFault } from "../plan/index.ts";
import type { Deed } from "./deed.ts";

/**
 * Tries everything a plan does as far as it can be tried without doing it.
 *
 * @returns what would be allowed, each in a few words.
 * @throws what `refused` makes of the first that would not be.
 */
export async function rehearseDeeds(
  { faults }: Pick<ChaosPlan, "faults">,
  deedsOf: (fault: PlannedFault) => Promise<readonly Deed[]>,
  refused: (problem: string) => Error,
): Promise<readonly string[]> {
  const allowed: string[] = [];
  for (const fault of faults) {
    let target = fault.id;
    try {
      for (const deed of await deedsOf(fault)) {
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
