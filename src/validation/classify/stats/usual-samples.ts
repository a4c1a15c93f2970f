import { quantile } from "./robust.ts";

const poolMax = 40_000;
/** Below this share of the pool its own steps are too coarse, and an exponential tail goes on. */
const tailCountMin = 12;

/** Samples of usual runs, relative to their own run's centre and spread: what "low" is measured by. */
export interface UsualSamples {
  /** The share of usual samples that are as low as this one or lower; never 0. */
  shareBelow(value: number): number;
  /** The value that a share of usual samples lies below. */
  quantile(share: number): number;
}

/** The distribution of pooled samples; undefined when there are too few to speak of a tail. */
export function usualSamples(pools: readonly ArrayLike<number>[]): UsualSamples | undefined {
  const total = pools.reduce((sum, pool) => sum + pool.length, 0);
  if (total < 4 * tailCountMin) return undefined;
  const stride = Math.max(1, Math.ceil(total / poolMax));
  const kept = new Float64Array(Math.ceil(total / stride));
  let seen = 0;
  let count = 0;
  for (const pool of pools) {
    for (let at = 0; at < pool.length; at++, seen++) {
      if (seen % stride === 0) kept[count++] = pool[at] ?? 0;
    }
  }
  const sorted = kept.subarray(0, count).toSorted();
  const edge = Math.max(tailCountMin, Math.round(0.005 * count));
  const from = sorted[edge - 1] ?? 0;
  let excess = 0;
  for (let at = 0; at < edge; at++) excess += from - (sorted[at] ?? 0);
  // A little more than observed: runs with the lowest samples may have been left out of the pool.
  const scale = Math.max((1.15 * excess) / edge, 1e-9);
  const shareBelow = (value: number): number => {
    if (value >= from) return Math.min(1 - 0.5 / count, (rank(sorted, value) + 0.5) / (count + 1));
    return Math.max(1e-12, (edge / (count + 1)) * Math.exp((value - from) / scale));
  };
  return { shareBelow, quantile: (share) => quantile(sorted, share) };
}

/** How many of the ascending values are at most this one. */
function rank(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
