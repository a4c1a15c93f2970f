import type { RunAnalysis } from "../analysis.ts";
import type { Lineage } from "../lineage.ts";
import { requestFigures } from "./requests.ts";

/**
 * Units that stayed a second, over those of the run without faults. The time of a job that did not finish
 * runs until its baseline would have been done: to give up early is no gain. Null without a baseline.
 */
export function goodputOf(analysis: RunAnalysis): number | null {
  const { record, baseline, lineage, baselineLineage, split, baselineSplit } = analysis;
  if (baseline === null || baselineLineage === null || baselineSplit === null) return null;
  const usualUnits = unitsOf(baselineLineage) || (requestFigures(baseline.events)?.answered ?? 0);
  const units = unitsOf(lineage) || (analysis.requests?.answered ?? 0);
  const isWhole = record.end === "finished";
  const wallUs = isWhole ? split.wallUs : Math.max(split.wallUs, baselineSplit.wallUs);
  if (usualUnits === 0 || wallUs === 0) return null;
  return units / wallUs / (usualUnits / baselineSplit.wallUs);
}

function unitsOf({ survivors }: Lineage): number {
  return survivors.reduce((sum, { units }) => sum + units, 0);
}
