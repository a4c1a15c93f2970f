import assert from "node:assert/strict";
import type { DType } from "../dtype/index.ts";
import { type LimbLayout, limbBits } from "./layout.ts";
import { carryLimbs } from "./limbs.ts";

const window = new Float64Array(256);

/**
 * The sum at `base` as a double from which one rounding to `dtype` gives the correctly rounded sum.
 * For f64 it is that sum itself; for the shorter formats it is rounded to odd, which a second
 * rounding that keeps at least two bits fewer cannot be misled by. A sum of zero is +0.
 *
 * Limbs need not be carried, and only those that are used are looked at: most sums fill three of
 * nineteen. They may come from a device that is wrong, so those that are no whole numbers are cut,
 * or make the sum NaN.
 */
export function doubleOf(
  limbs: Float64Array,
  base: number,
  { lowestExponent, limbs: count }: LimbLayout,
  dtype: DType,
): number {
  let top = count - 1;
  while (top >= 0 && limbs[base + top] === 0) top--;
  if (top < 0) return 0;
  let bottom = 0;
  while (limbs[base + bottom] === 0) bottom++;
  const used = top - bottom + 1;
  for (let i = 0; i < used; i++) {
    const limb = limbs[base + bottom + i] as number;
    if (!Number.isFinite(limb)) return Number.NaN;
    window[i] = Math.trunc(limb);
  }
  // For what is carried out of the top.
  window[used] = 0;
  carryLimbs(window, 0, used + 1);
  const lowest = lowestExponent + limbBits * bottom;
  return dtype === "f64" ? nearestDouble(used, lowest) : oddDouble(used, lowest);
}

/**
 * Goes down from the first limb that is not zero and adds as long as the sum of doubles is exact.
 * The first error is a whole number of the limb's units, and the limbs below come to less than one
 * unit, so the error's sign is that of everything left out.
 */
function oddDouble(last: number, lowestExponent: number): number {
  let top = last;
  while (top > 0 && window[top] === 0) top--;
  let sum = window[top] as number;
  let unit = 1;
  for (let index = top - 1; index >= 0; index--) {
    // In units of the top limb. So far below the sum only the sign matters, so it may stop there.
    unit = Math.max(unit * limbUnit, lowestUnit);
    const next = (window[index] as number) * unit;
    const total = sum + next;
    const error = next - (total - sum);
    sum = total;
    if (error !== 0) {
      sum = towardsOdd(total, error);
      break;
    }
  }
  return scale(sum, lowestExponent + limbBits * top);
}

const limbUnit = 2 ** -limbBits;
const lowestUnit = 2 ** -1000;
const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);

/** The neighbour of an inexact sum on the side of the error, or itself when its last bit is set. */
function towardsOdd(total: number, error: number): number {
  scratch[0] = total;
  const low = words[0] as number;
  if ((low & 1) === 1) return total;
  const outward = error > 0 === total > 0;
  // An even last word cannot overflow upwards; downwards it may have to borrow.
  words[0] = outward ? low + 1 : low - 1;
  if (!outward && low === 0) words[1] = (words[1] as number) - 1;
  return scratch[0];
}

/** 2^(i - powersBias): looking a power up is several times faster than raising it. */
const powersBias = 1200;
const powers = Float64Array.from({ length: 2 * powersBias }, (_, at) => 2 ** (at - powersBias));

/** Times 2^exponent in two steps, as the power alone may be beyond a double. */
function scale(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  const [one, other] = [powers[half + powersBias], powers[exponent - half + powersBias]];
  return value * (one as number) * (other as number);
}

/**
 * Correctly rounded to f64: the one addition of two exact parts rounds, and an odd last bit of the
 * lower part stands for all that lies below it, so far down that it can only break ties.
 */
function nearestDouble(used: number, lowestExponent: number): number {
  let top = used;
  while (top > 0 && window[top] === 0) top--;
  const exponent = lowestExponent + limbBits * (top - 2);
  // The leading limbs come to 2^62 of their units at least.
  if (exponent + 62 < smallestNormal) return nearestSubnormal(top, lowestExponent);
  const second = limbAt(top - 1);
  const high = Math.floor(second / 2 ** 11);
  const upper = limbAt(top) * 2 ** 21 + high;
  const lower = (second - high * 2 ** 11) * 2 ** 32 + limbAt(top - 2);
  let rest = top - 3;
  while (rest >= 0 && window[rest] === 0) rest--;
  const nudge = rest >= 0 && lower % 2 === 0 ? Math.sign(limbAt(rest)) : 0;
  return scale(upper * 2 ** 43 + (lower + nudge), exponent);
}

const smallestNormal = -1022;

/** With whole numbers of any length; sums this small have few limbs. */
function nearestSubnormal(top: number, lowestExponent: number): number {
  let sum = 0n;
  for (let i = top; i >= 0; i--) sum = (sum << BigInt(limbBits)) + BigInt(limbAt(i));
  const magnitude = sum < 0n ? -sum : sum;
  const topExponent = magnitude.toString(2).length - 1 + lowestExponent;
  const lastExponent = Math.max(topExponent - 52, -1074);
  const rounded = shiftToNearestEven(magnitude, lastExponent - lowestExponent);
  assert(rounded <= 2n ** 53n, "a significand fits in a double");
  const value = scale(Number(rounded), lastExponent);
  return sum < 0n ? -value : value;
}

function limbAt(index: number): number {
  return index < 0 ? 0 : (window[index] as number);
}

function shiftToNearestEven(value: bigint, shift: number): bigint {
  if (shift <= 0) return value << BigInt(-shift);
  const kept = value >> BigInt(shift);
  const lost = value - (kept << BigInt(shift));
  const half = 1n << BigInt(shift - 1);
  return lost > half || (lost === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}
