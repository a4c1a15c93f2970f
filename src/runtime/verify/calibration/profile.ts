import type { DataArray } from "../checksums/sums.ts";

/** What numbers look like apart from their scale: rounding errors in units of a scale depend on it. */
export interface Profile {
  /** Standard deviation of log2|x| over those that are neither 0 nor infinite. */
  readonly spread: number;
  /** (positive - negative) / all, from -1 to 1. */
  readonly balance: number;
  /** Share of zeros. */
  readonly zeros: number;
  /** Numbers it was made of. */
  readonly count: number;
}

/** A sample is taken evenly; a few thousand give the spread within a twentieth of a bit. */
const sampledMax = 4096;

/** The profile of numbers, from an even sample of them. */
export function profileOf(values: DataArray): Profile {
  // An odd stride does not stay in one column of a matrix whose side is a power of two.
  const stride = values.length <= sampledMax ? 1 : Math.floor(values.length / sampledMax) | 1;
  let [count, used, zeros, balance, sum, squares] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < values.length; at += stride) {
    const value = values[at] as number;
    count++;
    if (value === 0) zeros++;
    else if (Number.isFinite(value)) {
      balance += Math.sign(value);
      const size = Math.log2(Math.abs(value));
      used++;
      sum += size;
      squares += size * size;
    }
  }
  if (count === 0) return { spread: 0, balance: 0, zeros: 0, count };
  const mean = used === 0 ? 0 : sum / used;
  const variance = used === 0 ? 0 : Math.max(0, squares / used - mean * mean);
  return { spread: Math.sqrt(variance), balance: balance / count, zeros: zeros / count, count };
}

/**
 * How far profiles may lie apart and still count as the same kind of numbers: what so few numbers
 * leave open, five standard deviations of a difference, and a little.
 */
function toleranceOf(count: number): Readonly<Record<"spread" | "balance" | "zeros", number>> {
  const root = Math.sqrt(Math.max(1, count));
  return { spread: 0.05 + 11 / root, balance: 0.02 + 7 / root, zeros: 0.02 + 3.5 / root };
}

/** What of a profile has moved away from another, in words; undefined when nothing has. */
export function shiftOf(now: Profile, before: Profile): string | undefined {
  const tolerance = toleranceOf(Math.min(now.count, before.count));
  for (const name of ["spread", "balance", "zeros"] as const) {
    if (Math.abs(now[name] - before[name]) <= tolerance[name]) continue;
    return `${names[name]} went from ${before[name].toFixed(2)} to ${now[name].toFixed(2)}`;
  }
  return undefined;
}

const names = {
  spread: "the spread of magnitudes",
  balance: "the balance of signs",
  zeros: "the share of zeros",
} as const;
