import type { BenchMetric } from "../bench.ts";

/** How a metric stands to its earlier results. */
export interface Comparison {
  /** Now divided by the last result. */
  readonly ratio: number;
  /** The change below which two results count as the same, as a fraction. */
  readonly noise: number;
  readonly verdict: "better" | "worse" | "same";
}

/** Two runs on one quiet machine differ by this much without any change in the code. */
const measuredNoise = 0.1;
/** Models and simulations repeat; only rounding may differ. */
const computedNoise = 0.001;

/**
 * Compares a value with earlier ones of the same metric, oldest first, from the same kind of
 * machine. The more those differ among themselves, the larger a change must be to count.
 * Undefined when there is nothing to compare with.
 */
export function compare(metric: BenchMetric, earlier: readonly number[]): Comparison | undefined {
  const last = earlier.at(-1);
  if (last === undefined || last === 0) return undefined;
  const base = metric.provenance === "measured" ? measuredNoise : computedNoise;
  const noise = Math.max(base, spread(earlier));
  const ratio = metric.value / last;
  // Symmetric: twice as fast and half as fast are changes of the same size.
  const change = Math.max(ratio, 1 / ratio) - 1;
  if (change <= noise) return { ratio, noise, verdict: "same" };
  const improved = metric.better === "lower" ? ratio < 1 : ratio > 1;
  return { ratio, noise, verdict: improved ? "better" : "worse" };
}

/** Whether a metric keeps what we promise; true when nothing is promised. */
export function keepsLimit(metric: BenchMetric): boolean {
  if (metric.limit === undefined) return true;
  return metric.better === "lower" ? metric.value <= metric.limit : metric.value >= metric.limit;
}

/** How far apart values lie, as a fraction of the largest. */
function spread(values: readonly number[]): number {
  const highest = Math.max(...values);
  return highest === 0 ? 0 : (highest - Math.min(...values)) / highest;
}
