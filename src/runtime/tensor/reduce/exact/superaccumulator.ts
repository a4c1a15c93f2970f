import assert from "node:assert/strict";
import { type DType, dtypeInfo } from "../../dtype/index.ts";

/** Which powers of two the limbs of a superaccumulator stand for. */
export interface LimbLayout {
  /** Limb i counts units of 2^(baseExponent + 32 i). */
  readonly baseExponent: number;
  readonly limbs: number;
}

/** More values than this could carry a limb beyond what a double counts exactly. */
export const addendsMax = 2 ** 19;

// Room below the smallest value for the digits of a quotient, above the largest for the carries.
const guardBits = 64;
const carryBits = 32;

/** Limbs that hold any sum of values of this dtype, and its quotient by a small whole number. */
export function limbLayoutOf(dtype: DType): LimbLayout {
  const { minExponent, maxExponent } = dtypeInfo(dtype);
  const baseExponent = minExponent - guardBits;
  const limbs = Math.ceil((maxExponent + 1 + carryBits - baseExponent) / 32);
  return { baseExponent, limbs };
}

const value64 = new Float64Array(1);
const words = new Uint32Array(value64.buffer);

/**
 * Adds a finite value to the limbs from `at` on. Exact: a limb is a double that counts whole units,
 * carries wait until the end. Merging two accumulators is adding their limbs one by one.
 */
export function addToLimbs(
  limbs: Float64Array,
  at: number,
  layout: LimbLayout,
  value: number,
): void {
  value64[0] = value;
  const low = words[0] as number;
  const high = words[1] as number;
  const exponentField = (high >>> 20) & 0x7ff;
  // Subnormals have no hidden bit and the exponent of the smallest normal numbers.
  const mantissaHigh = (high & 0xfffff) | (exponentField === 0 ? 0 : 0x100000);
  if (mantissaHigh === 0 && low === 0) return;
  // The lowest of a double's 53 bits; the guard bits keep it above the base.
  const place = Math.max(exponentField, 1) - 1075 - layout.baseExponent;
  const limb = at + (place >>> 5);
  const shift = place & 31;
  const sign = high >>> 31 === 0 ? 1 : -1;
  const lowSpill = shift === 0 ? 0 : low >>> (32 - shift);
  const highSpill = shift === 0 ? 0 : mantissaHigh >>> (32 - shift);
  const low0 = (low << shift) >>> 0;
  const high0 = (mantissaHigh << shift) >>> 0;
  limbs[limb] = (limbs[limb] as number) + sign * low0;
  limbs[limb + 1] = (limbs[limb + 1] as number) + sign * (lowSpill + high0);
  limbs[limb + 2] = (limbs[limb + 2] as number) + sign * highSpill;
}

/** A sum taken out of an accumulator: its sign and its magnitude in limbs below 2^32. */
export interface LimbSum {
  readonly negative: boolean;
  readonly magnitude: Float64Array;
  /** True when something smaller than the lowest limb was cut off. */
  readonly inexact: boolean;
}

/**
 * The sum that the limbs from `at` on hold, divided by `divisor` (a whole number from 1 to 2^20).
 * The limbs themselves stay as they are.
 */
export function sumOfLimbs(
  limbs: Float64Array,
  at: number,
  layout: LimbLayout,
  divisor: number,
): LimbSum {
  const magnitude = limbs.slice(at, at + layout.limbs);
  const negative = propagate(magnitude) < 0;
  if (negative) {
    for (let limb = 0; limb < layout.limbs; limb++) {
      magnitude[limb] = -(limbs[at + limb] as number);
    }
    propagate(magnitude);
  }
  return { negative, magnitude, inexact: divide(magnitude, divisor) };
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

/** Long division in place; true when there is a remainder. */
function divide(limbs: Float64Array, divisor: number): boolean {
  if (divisor === 1) return false;
  assert(divisor >= 1 && divisor <= 2 ** 20, "a divisor that leaves the remainders exact");
  let remainder = 0;
  for (let limb = limbs.length - 1; limb >= 0; limb--) {
    const dividend = remainder * 2 ** 32 + (limbs[limb] as number);
    const quotient = Math.floor(dividend / divisor);
    limbs[limb] = quotient;
    remainder = dividend - quotient * divisor;
  }
  return remainder !== 0;
}
