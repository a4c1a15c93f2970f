import assert from "node:assert/strict";
import { type DType, dtypeInfo } from "../../dtype/index.ts";
import { doubleOf, type LimbLayout, limbBits } from "../../fixed-point/index.ts";

/** More values than this could carry a limb beyond what a double counts exactly. */
export const addendsMax = 2 ** 19;

// Room below the smallest value for the digits of a quotient, above the largest for the carries.
const guardBits = 64;
const carryBits = 32;

/** Limbs that hold any sum of values of this dtype, and its quotient by a small whole number. */
export function sumLayoutOf(dtype: DType): LimbLayout {
  const { minExponent, maxExponent } = dtypeInfo(dtype);
  const lowestExponent = minExponent - guardBits;
  const limbs = Math.ceil((maxExponent + 1 + carryBits - lowestExponent) / limbBits);
  return { lowestExponent, limbs };
}

/**
 * The sum that the limbs from `at` on hold, divided by `divisor` (a whole number from 1 to 2^20), as a
 * double that is still to be rounded to `dtype`; see `doubleOf`. The limbs stay as they are.
 */
export function quotientOf(
  limbs: Float64Array,
  at: number,
  layout: LimbLayout,
  { dtype, divisor }: { readonly dtype: DType; readonly divisor: number },
): number {
  if (divisor === 1) return doubleOf(limbs, at, layout, dtype);
  const magnitude = limbs.slice(at, at + layout.limbs);
  const isNegative = propagate(magnitude) < 0;
  if (isNegative) {
    for (let limb = 0; limb < layout.limbs; limb++) {
      magnitude[limb] = -(limbs[at + limb] as number);
    }
    propagate(magnitude);
  }
  // What is left over cannot matter: a quotient that is no tie between two results is further from one
  // than 2^-21 of the smallest value, and the guard bits show that.
  divide(magnitude, divisor);
  const quotient = doubleOf(magnitude, 0, layout, dtype);
  return isNegative ? -quotient : quotient;
}

/** Brings every limb into [0, 2^32) and returns what is carried out: -1 when the sum is negative. */
function propagate(limbs: Float64Array): number {
  let carry = 0;
  for (let limb = 0; limb < limbs.length; limb++) {
    const total = (limbs[limb] as number) + carry;
    carry = Math.floor(total / 2 ** 32);
    limbs[limb] = total - carry * 2 ** 32;
  }
  assert(carry === 0 || carry === -1, "a sum fits its accumulator");
  return carry;
}

/** Long division in place, without the remainder. */
function divide(limbs: Float64Array, divisor: number): void {
  assert(divisor >= 1 && divisor <= 2 ** 20, "a divisor that leaves the remainders exact");
  let remainder = 0;
  for (let limb = limbs.length - 1; limb >= 0; limb--) {
    const dividend = remainder * 2 ** 32 + (limbs[limb] as number);
    const quotient = Math.floor(dividend / divisor);
    limbs[limb] = quotient;
    remainder = dividend - quotient * divisor;
  }
}
