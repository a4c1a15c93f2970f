import type { DType } from "../../../../src/runtime/tensor/dtype/index.ts";

/** What a float format is, written down again from its standard, for exact arithmetic. */
export interface Format {
  /** Bits of the significand with the hidden one. */
  readonly precision: number;
  readonly bias: number;
  /** The largest finite value is `maxSignificand * 2^maxQuantum`. */
  readonly maxSignificand: bigint;
  readonly maxQuantum: number;
}

export const formats: Readonly<Partial<Record<DType, Format>>> = {
  f32: { precision: 24, bias: 127, maxSignificand: 0xffffffn, maxQuantum: 104 },
  f16: { precision: 11, bias: 15, maxSignificand: 0x7ffn, maxQuantum: 5 },
  bf16: { precision: 8, bias: 127, maxSignificand: 0xffn, maxQuantum: 120 },
  // 448 = 14 * 2^5: the significand 15 of the largest exponent is NaN.
  e4m3: { precision: 4, bias: 7, maxSignificand: 14n, maxQuantum: 5 },
  e5m2: { precision: 3, bias: 15, maxSignificand: 7n, maxQuantum: 13 },
};

/** The magnitude of a finite double, in units of 2^-1074: a whole number. */
export function unitsOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const mantissa = bits & 0xfffffffffffffn;
  return exponent === 0n ? mantissa : (mantissa | 0x10000000000000n) << (exponent - 1n);
}

/** The magnitude after rounding to nearest, ties to even; undefined when that overflows. */
export function roundUnits(units: bigint, format: Format): bigint | undefined {
  const { precision, bias, maxSignificand, maxQuantum } = format;
  const length = units === 0n ? 0 : units.toString(2).length;
  const smallest = 1 - bias - (precision - 1) + 1074;
  const quantum = BigInt(Math.max(length - precision, smallest));
  const kept = units >> quantum;
  const twiceLost = (units - (kept << quantum)) * 2n;
  const one = 1n << quantum;
  const up = twiceLost > one || (twiceLost === one && kept % 2n === 1n);
  const rounded = (up ? kept + 1n : kept) << quantum;
  return rounded > maxSignificand << BigInt(maxQuantum + 1074) ? undefined : rounded;
}
