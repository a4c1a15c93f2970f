/** The quantile at a share in [0, 1], between neighbours by straight line; null of none. */
export function quantile(values: Iterable<number>, share: number): number | null {
  const sorted = Float64Array.from(values).toSorted();
  const last = sorted.length - 1;
  if (last < 0) return null;
  const at = Math.min(last, Math.max(0, share * last));
  const below = Math.floor(at);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(last, below + 1)] ?? low;
  // Equal neighbours need no straight line, and two endless ones have none.
  return low === high ? low : low + (at - below) * (high - low);
}

/** The middle value, the mean of the two middle ones; null of none. */
export function medianOf(values: Iterable<number>): number | null {
  return quantile(values, 0.5);
}

/** How many standard deviations of a normal variable the median absolute deviation is worth. */
const deviationOfMedian = 1.4826;

/** Spread over middle, both by medians: what a few bad windows do not move. Null where the middle is 0. */
export function robustVariation(values: readonly number[]): number | null {
  const middle = medianOf(values);
  if (middle === null || middle <= 0) return null;
  const spread = medianOf(values.map((value) => Math.abs(value - middle))) ?? 0;
  return (deviationOfMedian * spread) / middle;
}
