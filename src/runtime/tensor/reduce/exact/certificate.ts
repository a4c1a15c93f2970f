import { type DType, dtypeInfo } from "../../dtype/index.ts";

/** Narrow formats: all of their values are singles, and sums of them have room in a double. */
export type NarrowFloat = Extract<DType, "f32" | "f16" | "bf16" | "e4m3" | "e5m2">;

export function isNarrowFloat(dtype: DType): dtype is NarrowFloat {
  return dtypeInfo(dtype).kind === "float" && dtype !== "f64";
}

/** A spread that no values exceed: every sum is certified. */
export const anySpread = 255;

/**
 * How far the exponents of the values in a sum may be apart for every partial sum to be a double,
 * in whatever order: n values below 2^(high + 1), all multiples of 2^(low - precision + 1), add up
 * to a multiple of the latter below n 2^(high + 1), and that is exact when the two are at most 53
 * bits apart. Negative when not even values of one exponent are sure to be.
 */
export function certifiedSpread(dtype: NarrowFloat, values: number): number {
  const { precision, minExponent, maxExponent } = dtypeInfo(dtype);
  const growthBits = values <= 1 ? 0 : 32 - Math.clz32(values - 1);
  if (maxExponent + 1 - minExponent + growthBits <= 53) return anySpread;
  return 53 - precision - growthBits;
}

const infinityBits = 0x7f800000;

/**
 * True when the sum of an element is certain to be exact in doubles. `largest` is the largest
 * magnitude among its singles, as bits; `smallestLess1` the smallest other than zero, less one,
 * which keeps zeros (0xffffffff) out of the way of an unsigned minimum. Where Inf or NaN takes part,
 * the sum in doubles is Inf or NaN as it should be.
 */
export function isCertified(largest: number, smallestLess1: number, spreadMax: number): boolean {
  const smallest = (smallestLess1 + 1) >>> 0;
  return (largest >>> 23) - (smallest >>> 23) <= spreadMax || largest >= infinityBits;
}
