import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";
import { formatNumber, formatSeconds, formatShare } from "../../../format.ts";

export type Metric = ExperimentDetailView["metrics"][number];

/** Shares of one, which people read as per cent. */
const shares = new Set([
  "throughputStability",
  "throughputStabilityBaseline",
  "rollbackSuccessRate",
  "rollbackSuccessLow",
  "rollbackSuccessHigh",
  "memoryFragmentation",
  "fragmentationExternal",
  "memorySlack",
  "ettr",
  "ettrSlidingMin",
  "goodput",
  "dipDepthMax",
  "retainedThroughput",
  "effectRate",
  "attributionRate",
]);

/** The figures that stand first; all others are behind a fold. */
export const headlineMetrics: readonly string[] = [
  "throughputStability",
  "recoverySeconds",
  "rollbackSuccessRate",
  "memoryFragmentation",
  "deadlocks",
  "livelocks",
  "ettr",
  "goodput",
];

/** A figure in words. What is not known is said, never shown as nought. */
export function metricText({ name, value, unit }: Metric): string {
  if (value === null) return "not known";
  if (shares.has(name) || name.startsWith("badput")) return formatShare(value);
  if (unit === "s") return formatSeconds(value);
  return unit === "" ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

export function betterText(better: Metric["better"]): string {
  if (better === null) return "";
  return better === "higher" ? "↑ higher is better" : "↓ lower is better";
}
