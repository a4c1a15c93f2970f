import { createRng } from "../../../platform/rng/index.ts";
import { normalUpperQuantile } from "./normal.ts";
import { sortInPlace } from "./sort-in-place.ts";

const drawsPerSize = 1500;
/** More than any size, so that a size and a count not above it make one number. */
const keysPerSize = 2 ** 24;
/** Where the simulated scores end and their exponential tail takes over. */
const tailShare = 0.02;

/** A bound this far below another is below it, whatever rounding did to the two. */
const roundingSlack = 1e-9;

/**
 * How unlikely it is that this many of the samples are this low, as a standard normal score: about
 * 0 for a usual run, above 3.5 for one run in several thousand. It looks for a share of low samples
 * at every depth at once (the Berk-Jones statistic on the lower half).
 *
 * @param shares ascending: for each sample the share of usual samples that are as low or lower.
 * Of four or more, those from one half on may be any number from there, or left out.
 * @param leastCount how many samples must be low before it counts: one slow iteration is no defect.
 * @param count how many samples there are, where some are left out. @default shares.length
 */
export function tailScore(
  shares: ArrayLike<number>,
  leastCount: number,
  count = shares.length,
): number {
  if (count < Math.max(2, leastCount)) return 0;
  const divergence = largestDivergence(shares, { leastCount, count });
  return scoreOf(divergence, calibrationFor(count, leastCount));
}

/** The largest of k log(k / (n u)) + (n - k) log((n - k) / (n (1 - u))) where more are low than usual. */
export function largestDivergence(
  shares: ArrayLike<number>,
  { leastCount, count }: { readonly leastCount: number; readonly count: number },
): number {
  const half = lowestHalf(count, leastCount);
  const last = Math.min(half, shares.length);
  let largest = 0;
  for (let low = leastCount; low <= last; low++) {
    const expected = count * (shares[low - 1] ?? 1);
    if (expected >= low) {
      if (expected >= half) break;
      continue;
    }
    const rest = count - low;
    // For k <= n / 2 it is at most n (k - n u)^2 / (2 n u (n - n u)), which takes no logarithms.
    const gap = low - expected;
    const bound = (count * gap * gap) / (2 * expected * (count - expected));
    if (low <= rest && bound < largest - roundingSlack * (1 + largest)) continue;
    const others = rest === 0 ? 0 : rest * Math.log(rest / (count - expected));
    largest = Math.max(largest, low * Math.log(low / Math.max(expected, 1e-12)) + others);
  }
  return largest;
}

/** How many of the samples are looked at, from the lowest on. */
function lowestHalf(count: number, leastCount: number): number {
  return Math.max(leastCount, Math.floor(count / 2));
}

interface Calibration {
  /** Simulated statistics of usual runs, ascending. */
  readonly usual: Float64Array;
  /** Where the tail begins, and how fast it falls. */
  readonly tailFrom: number;
  readonly tailScale: number;
}

const calibrations = new Map<number, Calibration>();

/** What the statistic is for usual runs of this size; sizes are rounded to steps of a twelfth. */
function calibrationFor(count: number, leastCount: number): Calibration {
  const size = count <= 24 ? count : Math.round(2 ** (Math.round(6 * Math.log2(count)) / 6));
  const least = Math.min(leastCount, size);
  const key = size * keysPerSize + least;
  const known = calibrations.get(key);
  if (known !== undefined) return known;
  const made = calibrate(size, least);
  calibrations.set(key, made);
  return made;
}

function calibrate(size: number, leastCount: number): Calibration {
  const random = createRng("tail-score").stream(size, leastCount);
  const usual = new Float64Array(drawsPerSize);
  const shares = new Float64Array(size);
  const half = lowestHalf(size, leastCount);
  for (let draw = 0; draw < drawsPerSize; draw++) {
    let lowCount = 0;
    for (let at = 0; at < size; at++) {
      const share = (random.uint32() + 0.5) / 2 ** 32;
      shares[lowCount] = share;
      if (size * share < half) lowCount++;
    }
    sortInPlace(shares, 0, lowCount);
    usual[draw] = largestDivergence(shares.subarray(0, lowCount), { leastCount, count: size });
  }
  usual.sort();
  const first = Math.floor(drawsPerSize * (1 - tailShare));
  const tailFrom = usual[first] ?? 0;
  let excess = 0;
  for (let at = first; at < drawsPerSize; at++) excess += (usual[at] ?? 0) - tailFrom;
  // The theory says 1; a simulated mean of few values is kept near it.
  const tailScale = Math.min(1.2, Math.max(0.9, excess / (drawsPerSize - first)));
  return { usual, tailFrom, tailScale };
}

function scoreOf(divergence: number, { usual, tailFrom, tailScale }: Calibration): number {
  if (divergence > tailFrom) {
    const tail = tailShare * Math.exp(-(divergence - tailFrom) / tailScale);
    return normalUpperQuantile(Math.max(tail, 1e-100));
  }
  const below = rank(usual, divergence, true);
  if (usual[below] !== divergence) return scoreAmong(usual.length, below, below);
  // Ties at zero (nothing low at all) share the middle of their ranks.
  return scoreAmong(usual.length, below, rank(usual, divergence, false));
}

/** The score where so many of the simulated ones are below, and so many not above. */
function scoreAmong(count: number, below: number, notAbove: number): number {
  const above = count - notAbove;
  const tail = (above + (count - above - below) / 2 + 0.5) / (count + 1);
  return normalUpperQuantile(Math.max(tail, tailShare));
}

/** How many of the ascending values are below a value, or not above it. */
function rank(values: Float64Array, value: number, strict: boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = values[middle] ?? 0;
    if (at < value || (!strict && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
