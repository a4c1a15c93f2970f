/** Numbers that round what is added to them and taken away again to a grid. */
export interface Grids {
  readonly coarse: number;
  readonly middle: number;
}

const doubleBits = 53;
/** Bits of a factor, and those of the smallest float that a short format has. */
const factorBits = 24;

/**
 * Grids for the sums of `count` products of the two lists' values: products rounded to the coarse
 * one, what is left of them to the middle one, and the last rest, each add up exactly in a double.
 * Undefined for values that are no finite numbers or too far apart.
 */
export function gridsFor(
  left: Float64Array,
  right: Float64Array,
  count: number,
): Grids | undefined {
  const [a, b] = [exponentsOf(left), exponentsOf(right)];
  if (a === undefined || b === undefined) return undefined;
  // Every product is below 2^top, and a whole multiple of 2^bottom.
  const top = a.max + b.max + 2;
  const bottom = a.min + b.min - 2 * (factorBits - 1);
  // Room for the sum of all, and at least two bits for the rounding by addition.
  const room = Math.max(2, Math.ceil(Math.log2(count)) + 1);
  const stepBits = doubleBits - room;
  if (top - 3 * stepBits > bottom) return undefined;
  const rounding = (step: number) => 1.5 * 2 ** (doubleBits - 1 + step);
  return { coarse: rounding(top - stepBits), middle: rounding(top - 2 * stepBits) };
}

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);

/** The largest and the smallest exponent of what is not zero; zeros alone count as 1. */
function exponentsOf(
  values: Float64Array,
): { readonly min: number; readonly max: number } | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value === 0) continue;
    scratch[0] = value;
    // A float of a shorter format is never subnormal as a double.
    const exponent = (((words[1] as number) >>> 20) & 0x7ff) - 1023;
    if (exponent === 1024) return undefined;
    if (exponent < min) min = exponent;
    if (exponent > max) max = exponent;
  }
  return max < min ? { min: 0, max: 0 } : { min, max };
}
