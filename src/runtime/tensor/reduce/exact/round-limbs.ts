import type { LimbLayout, LimbSum } from "./superaccumulator.ts";

/**
 * The sum as a double of at least 33 bits whose last bit says whether something was cut off
 * ("rounded to odd"). Rounding that to nearest in a format of up to 31 bits gives what rounding the
 * exact sum would have given: the odd bit keeps it off the ties.
 */
export function roundToOdd(sum: LimbSum, { baseExponent }: LimbLayout): number {
  const top = topLimb(sum.magnitude);
  if (top < 0) return 0;
  const first = limbAt(sum.magnitude, top);
  const second = limbAt(sum.magnitude, top - 1);
  // 53 bits at most: either both limbs whole, or the upper 21 bits of the second.
  const whole = first < 2 ** 21;
  const kept = whole ? first * 2 ** 32 + second : first * 2 ** 21 + Math.floor(second / 2 ** 11);
  const unit = baseExponent + 32 * (top - 1) + (whole ? 0 : 11);
  const cut = (!whole && second % 2 ** 11 !== 0) || anyBelow(sum.magnitude, top - 1) || sum.inexact;
  const odd = cut && kept % 2 === 0 ? kept + 1 : kept;
  return (sum.negative ? -odd : odd) * 2 ** unit;
}

/** The sum rounded to the nearest double, ties to even; Infinity when it is too large for one. */
export function roundToDouble(sum: LimbSum, { baseExponent }: LimbLayout): number {
  const { magnitude } = sum;
  const top = topLimb(magnitude);
  if (top < 0) return 0;
  const rounded =
    top <= 3 && subnormalUnits(magnitude) < 2 ** 53
      ? roundToSubnormal(sum)
      : roundNormal(sum, top, baseExponent);
  return sum.negative ? -rounded : rounded;
}

/** One addition of two exact parts rounds once; the odd last bit stands for what lies below. */
function roundNormal(sum: LimbSum, top: number, baseExponent: number): number {
  const { magnitude } = sum;
  const first = limbAt(magnitude, top);
  const second = limbAt(magnitude, top - 1);
  const third = limbAt(magnitude, top - 2);
  const upper = first * 2 ** 21 + Math.floor(second / 2 ** 11);
  const lower = (second % 2 ** 11) * 2 ** 32 + third;
  const cut = anyBelow(magnitude, top - 2) || sum.inexact;
  const odd = cut && lower % 2 === 0 ? lower + 1 : lower;
  return scale(upper * 2 ** 43 + odd, baseExponent + 32 * (top - 2));
}

/** To a whole number of the units that subnormal numbers and the smallest normal ones share. */
function roundToSubnormal({ magnitude, inexact }: LimbSum): number {
  const units = subnormalUnits(magnitude);
  const half = limbAt(magnitude, 1);
  const below = limbAt(magnitude, 0) !== 0 || inexact;
  const tie = half === 2 ** 31 && !below;
  const up = half > 2 ** 31 || (half === 2 ** 31 && below) || (tie && units % 2 === 1);
  return (up ? units + 1 : units) * 2 ** -1074;
}

/** How often 2^-1074 fits: two limbs of f64 lie below that, so limb 2 and 3 count it. */
function subnormalUnits(magnitude: Float64Array): number {
  return limbAt(magnitude, 3) * 2 ** 32 + limbAt(magnitude, 2);
}

/** `value * 2^exponent`, in two steps in the same direction where one power is out of range. */
function scale(value: number, exponent: number): number {
  const step = Math.max(-1000, Math.min(1000, exponent));
  return value * 2 ** step * 2 ** (exponent - step);
}

function topLimb(magnitude: Float64Array): number {
  let top = magnitude.length - 1;
  while (top >= 0 && magnitude[top] === 0) top--;
  return top;
}

function anyBelow(magnitude: Float64Array, limb: number): boolean {
  for (let index = 0; index < limb; index++) if (magnitude[index] !== 0) return true;
  return false;
}

function limbAt(magnitude: Float64Array, index: number): number {
  return index < 0 ? 0 : (magnitude[index] as number);
}
