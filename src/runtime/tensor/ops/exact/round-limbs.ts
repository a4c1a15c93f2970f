import assert from "node:assert/strict";
import type { DType } from "../../dtype/index.ts";
import { type LimbLayout, limbBits } from "./limb-layout.ts";

/**
 * The sum at `base`, carried to normal form, as a double from which one rounding to `dtype` gives
 * the correctly rounded sum. For f64 it is that sum itself; for the shorter formats it is rounded
 * to odd, which a second rounding that keeps at least two bits fewer cannot be misled by. A sum of
 * zero is +0. Inf and NaN come out as the doubles' own sum of them.
 */
export function roundLimbs(
  limbs: Float64Array,
  base: number,
  layout: LimbLayout,
  dtype: DType,
): number {
  const special = limbs[base + layout.limbs] as number;
  if (special !== 0) return special;
  return dtype === "f64" ? nearestDouble(limbs, base, layout) : oddDouble(limbs, base, layout);
}

/**
 * Goes down from the first limb that is not zero and adds as long as the sum of doubles is exact.
 * The first error is a whole number of the limb's units, and the limbs below come to less than one
 * unit, so the error's sign is that of everything left out.
 */
function oddDouble(limbs: Float64Array, base: number, layout: LimbLayout): number {
  let top = layout.limbs - 1;
  while (top > 0 && limbs[base + top] === 0) top--;
  let sum = limbs[base + top] as number;
  for (let index = top - 1; index >= 0; index--) {
    // In units of the top limb. So far below the sum only the sign matters, so the shift may stop.
    const shift = Math.max(limbBits * (index - top), lowestShift);
    const next = (limbs[base + index] as number) * 2 ** shift;
    const total = sum + next;
    const error = next - (total - sum);
    sum = total;
    if (error !== 0) {
      sum = towardsOdd(total, error);
      break;
    }
  }
  return scale(sum, layout.lowestExponent + limbBits * top);
}

const lowestShift = -1000;
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

/** Times 2^exponent in two steps, as the power alone may be beyond a double. */
function scale(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

// A double's 53 bits and what decides about the last lie in the first four that are not zero.
const leadingLimbs = 4;

/** Correctly rounded to f64, subnormals included, with whole numbers of any length. */
function nearestDouble(limbs: Float64Array, base: number, layout: LimbLayout): number {
  let top = layout.limbs - 1;
  while (top > 0 && limbs[base + top] === 0) top--;
  const last = Math.max(top - leadingLimbs + 1, 0);
  let sum = 0n;
  for (let i = top; i >= last; i--) {
    sum = (sum << BigInt(limbBits)) + BigInt(limbs[base + i] as number);
  }
  let rest = last - 1;
  while (rest >= 0 && limbs[base + rest] === 0) rest--;
  // Two more bits say on which side of the leading limbs the sum really is.
  sum = (sum << 2n) + (rest < 0 ? 0n : BigInt(Math.sign(limbs[base + rest] as number)));
  if (sum === 0n) return 0;
  const unitExponent = layout.lowestExponent + limbBits * last - 2;
  const magnitude = sum < 0n ? -sum : sum;
  const topExponent = magnitude.toString(2).length - 1 + unitExponent;
  const lastExponent = Math.max(topExponent - 52, -1074);
  const rounded = shiftToNearestEven(magnitude, lastExponent - unitExponent);
  assert(rounded <= 2n ** 53n, "a significand fits in a double");
  const value = scale(Number(rounded), lastExponent);
  return sum < 0n ? -value : value;
}

function shiftToNearestEven(value: bigint, shift: number): bigint {
  if (shift <= 0) return value << BigInt(-shift);
  const kept = value >> BigInt(shift);
  const lost = value - (kept << BigInt(shift));
  const half = 1n << BigInt(shift - 1);
  return lost > half || (lost === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}
