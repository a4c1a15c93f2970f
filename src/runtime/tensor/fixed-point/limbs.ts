import type { LimbLayout } from "./layout.ts";

const limb = 2 ** 32;
const halfLimb = 2 ** 31;

/** After this many additions to a sum its limbs must be carried, or they would outgrow a double. */
export const additionsBeforeCarry = 2 ** 20;

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);
// Little-endian wherever Node runs: the second word has the sign and the exponent.
const highWord = 1;

/**
 * Adds `value` times 2^`exponent` to the sum that starts at `base`. Exact. The product must be a
 * multiple of the smallest bit of the layout and below its largest; Inf and NaN go to their place.
 */
export function addToLimbs(
  limbs: Float64Array,
  base: number,
  { lowestExponent, limbs: count }: LimbLayout,
  value: number,
  exponent = 0,
): void {
  if (value === 0) return;
  if (!(Math.abs(value) < Infinity)) {
    limbs[base + count] = (limbs[base + count] as number) + value;
    return;
  }
  scratch[0] = value;
  let high = words[highWord] as number;
  let topBit = ((high >>> 20) & 0x7ff) - 1023;
  if (topBit === -1023) {
    scratch[0] = value * 2 ** 54;
    high = words[highWord] as number;
    topBit = ((high >>> 20) & 0x7ff) - 1023 - 54;
  }
  const position = topBit + exponent - lowestExponent;
  const at = base + (position >> 5);
  // The same digits with the exponent that puts the top bit at its place within the top limb.
  words[highWord] = (high & 0x800fffff) | ((1023 + (position & 31)) << 20);
  const whole = scratch[0];
  const first = Math.trunc(whole);
  limbs[at] = (limbs[at] as number) + first;
  const second = (whole - first) * limb;
  if (second === 0) return;
  const middle = Math.trunc(second);
  limbs[at - 1] = (limbs[at - 1] as number) + middle;
  const third = (second - middle) * limb;
  if (third !== 0) limbs[at - 2] = (limbs[at - 2] as number) + third;
}

/**
 * Brings the sum of `count` limbs at `base` to its one normal form: every limb but the uppermost in
 * [-2^31, 2^31). Sums that are equal have the same limbs then, however they came about.
 */
export function carryLimbs(limbs: Float64Array, base: number, count: number): void {
  for (let i = base; i < base + count - 1; i++) {
    const digit = limbs[i] as number;
    const carry = Math.floor((digit + halfLimb) / limb);
    if (carry === 0) continue;
    limbs[i] = digit - carry * limb;
    limbs[i + 1] = (limbs[i + 1] as number) + carry;
  }
}
