import { sortInPlace } from "./sort-in-place.ts";
import { neighboursAt, sortedScratch } from "./sorted-scratch.ts";

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
  const sorted = Float64Array.from(values);
  sortInPlace(sorted, 0, sorted.length);
  return sorted;
}

/** The median of values in any order. */
export function medianOf(values: Iterable<number>): number {
  const list = isList(values) ? values : [...values];
  if (list.length === 0) return Number.NaN;
  const at = 0.5 * (list.length - 1);
  const below = Math.floor(at);
  const { low, high } = neighboursAt(list, below);
  return low + (at - below) * (high - low);
}

function isList(values: Iterable<number>): values is readonly number[] | Float64Array {
  return Array.isArray(values) || values instanceof Float64Array;
}

/** The median of ascending values less one of them, which must be among them. */
export function medianWithout(sorted: Float64Array, value: number): number {
  // What is not a number is sorted behind all others, and not found.
  const found = sorted.indexOf(value);
  const own = found === -1 ? sorted.length - 1 : found;
  const at = (place: number) => sorted[place < own ? place : place + 1] ?? Number.NaN;
  const last = sorted.length - 2;
  const middle = 0.5 * last;
  const below = Math.floor(middle);
  const low = at(below);
  return low + (middle - below) * (at(Math.min(last, below + 1)) - low);
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
 *
 * @param stretch which of the values are meant. @default all
 */
export function cautiousMean(
  values: ArrayLike<number>,
  reach: number,
  { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: values.length },
): number {
  const count = to - from;
  if (count === 0) return Number.NaN;
  if (count === 1) return values[from] ?? Number.NaN;
  const sorted = sortedScratch(values, from, to);
  let mean = sorted[Math.floor(count / 2)] ?? Number.NaN;
  if (!(reach > 0)) return mean;
  for (let round = 0; round < 20; round++) {
    let sum = 0;
    for (let at = 0; at < count; at++) {
      sum += Math.max(-reach, Math.min(reach, (sorted[at] ?? 0) - mean));
    }
    const step = sum / count;
    mean += step;
    if (Math.abs(step) < 1e-6 * reach) break;
  }
  return mean;
}
