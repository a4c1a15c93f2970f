/** How many standard deviations of a normal variable the median absolute deviation is worth. */
export const madToSigma = 1.4826;

/** The quantile of ascending values at a share in [0, 1], between neighbours by straight line. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const last = ascending.length - 1;
  if (last < 0) return Number.NaN;
  const at = Math.min(last, Math.max(0, share * last));
  const below = Math.floor(at);
  const low = ascending[below] ?? Number.NaN;
  const high = ascending[Math.min(last, below + 1)] ?? low;
  return low + (at - below) * (high - low);
}

/** A sorted copy. */
export function ascending(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).toSorted();
}

/** The median of values in any order. */
export function medianOf(values: Iterable<number>): number {
  return quantile(ascending(values), 0.5);
}

/** The median absolute deviation from a centre, as a standard deviation. */
export function madSigma(values: Iterable<number>, centre: number): number {
  const distances: number[] = [];
  for (const value of values) distances.push(Math.abs(value - centre));
  return madToSigma * medianOf(distances);
}

/** The mean of the middle half of ascending values: robust, and better than the median in noise. */
export function midmean(sorted: ArrayLike<number>): number {
  const { length } = sorted;
  const cut = length / 4;
  let sum = 0;
  let weight = 0;
  for (let at = Math.floor(cut); at < length - Math.floor(cut); at++) {
    // The two values at the edges count in part, so that every length trims exactly a quarter.
    const inside = Math.min(at + 1, length - cut) - Math.max(at, cut);
    if (inside <= 0) continue;
    sum += inside * (sorted[at] ?? 0);
    weight += inside;
  }
  return weight > 0 ? sum / weight : Number.NaN;
}

/**
 * A mean in which no value counts as further than `reach` from it. Starts from the better (upper)
 * median, so that of two values that disagree the better one decides.
 */
export function cautiousMean(values: readonly number[], reach: number): number {
  if (values.length === 1) return values[0] ?? Number.NaN;
  const sorted = ascending(values);
  let mean = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  if (!(reach > 0)) return mean;
  for (let round = 0; round < 20; round++) {
    let sum = 0;
    for (const value of sorted) sum += Math.max(-reach, Math.min(reach, value - mean));
    const step = sum / sorted.length;
    mean += step;
    if (Math.abs(step) < 1e-6 * reach) break;
  }
  return mean;
}
