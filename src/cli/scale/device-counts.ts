import { parseDeviceCounts } from "../../runtime/scaling/study/index.ts";
import { scaleUsage } from "./request.ts";

/** The counts of `--devices`. @throws E_USAGE */
export function deviceCountsIn(given: string): readonly number[] {
  const counts = parseDeviceCounts(given);
  if (typeof counts === "string") throw scaleUsage(`\`--devices ${given}\`: ${counts}`);
  return counts;
}
