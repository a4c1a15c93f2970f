import type { Ragged } from "./ragged.ts";
import { sortInPlace } from "./sort-in-place.ts";

const poolMax = 40_000;
/** Below this share of the pool its own steps are too coarse, and an exponential tail goes on. */
const tailCountMin = 12;
/** Samples are relative to their run's centre: the middle of the pool lies below this, unless it is odd. */
const usuallyAboveMiddle = 0.2;
const cellsMax = 4096;

/** Samples of usual runs, relative to their own run's centre and spread: what "low" is measured by. */
export interface UsualSamples {
  /**
   * The share of usual samples that are as low as this one or lower; never 0. Above the middle of
   * them, where nothing is low, it may be given as 1.
   */
  shareBelow(value: number): number;
}

/**
 * The distribution of pooled samples; undefined when there are too few to speak of a tail.
 *
 * @param kept the lists that take part, by their places.
 */
export function usualSamples(lists: Ragged, kept: ArrayLike<number>): UsualSamples | undefined {
  const pool = thinnedPool(lists, kept);
  if (pool === undefined) return undefined;
  const count = pool.length;
  const edge = Math.max(tailCountMin, Math.round(0.005 * count));
  const { sorted, top } = lowerPart(pool, Math.max(edge, Math.ceil(count / 2)));
  const from = sorted[edge - 1] ?? 0;
  let excess = 0;
  for (let at = 0; at < edge; at++) excess += from - (sorted[at] ?? 0);
  // A little more than observed: runs with the lowest samples may have been left out of the pool.
  const scale = Math.max((1.15 * excess) / edge, 1e-9);
  const rank = rankIn(sorted, from);
  const shareBelow = (value: number): number => {
    if (value >= top) return 1;
    if (value >= from) return Math.min(1 - 0.5 / count, (rank(value) + 0.5) / (count + 1));
    return Math.max(1e-12, (edge / (count + 1)) * Math.exp((value - from) / scale));
  };
  return { shareBelow };
}

/** All values of some lists, or evenly taken ones where they are too many. */
function thinnedPool(
  { values, starts }: Ragged,
  kept: ArrayLike<number>,
): Float64Array | undefined {
  let total = 0;
  for (let at = 0; at < kept.length; at++) {
    const list = kept[at] ?? 0;
    total += (starts[list + 1] ?? 0) - (starts[list] ?? 0);
  }
  if (total < 4 * tailCountMin) return undefined;
  const stride = Math.max(1, Math.ceil(total / poolMax));
  const pool = new Float64Array(Math.ceil(total / stride));
  let skip = 0;
  let count = 0;
  for (let at = 0; at < kept.length; at++) {
    const list = kept[at] ?? 0;
    const end = starts[list + 1] ?? 0;
    let next = (starts[list] ?? 0) + skip;
    for (; next < end; next += stride) pool[count++] = values[next] ?? 0;
    skip = next - end;
  }
  return pool;
}

/** The lower part of a pool, sorted: at least so many values, and all of those below `top`. */
function lowerPart(
  pool: Float64Array,
  countMin: number,
): { readonly sorted: Float64Array; readonly top: number } {
  const low = new Float64Array(pool.length);
  let count = 0;
  for (let at = 0; at < pool.length; at++) {
    const value = pool[at] ?? 0;
    low[count] = value;
    if (value < usuallyAboveMiddle) count++;
  }
  if (count < countMin) return { sorted: pool.toSorted(), top: Number.POSITIVE_INFINITY };
  sortInPlace(low, 0, count);
  return { sorted: low.subarray(0, count), top: usuallyAboveMiddle };
}

/** Says how many of the ascending values are at most a given one, which is not below `from`. */
function rankIn(sorted: Float64Array, from: number): (value: number) => number {
  const width = (sorted.at(-1) ?? from) - from;
  const cells = width > 0 && width < Number.POSITIVE_INFINITY ? cellsMax : 1;
  const perUnit = cells === 1 ? 0 : cells / width;
  // Rounding keeps the order, so the values of a lower cell are all lower.
  const cellOf = (value: number) =>
    cells === 1 ? 0 : Math.max(0, Math.min(cells - 1, Math.floor((value - from) * perUnit)));
  const firsts = new Int32Array(cells + 1);
  for (let at = 0; at < sorted.length; at++) {
    const after = cellOf(sorted[at] ?? 0) + 1;
    firsts[after] = (firsts[after] ?? 0) + 1;
  }
  for (let cell = 0; cell < cells; cell++) {
    firsts[cell + 1] = (firsts[cell + 1] ?? 0) + (firsts[cell] ?? 0);
  }
  return (value) => {
    const cell = cellOf(value);
    let low = firsts[cell] ?? 0;
    let high = firsts[cell + 1] ?? 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
