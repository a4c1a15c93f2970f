import type { DType } from "./dtype.ts";

/** The float formats of 8 and 16 bits, which JavaScript has no arrays for. */
export type SmallFloat = Extract<DType, "f16" | "bf16" | "e4m3" | "e5m2">;

/** How the bits of a small float are laid out. */
export interface SmallFloatFormat {
  readonly bits: 8 | 16;
  /** Stored bits of the significand. */
  readonly mantissaBits: number;
  readonly bias: number;
  /** Bits of the largest finite value. */
  readonly maxFinite: number;
  /** Bits of what overflows to: Inf, or the NaN of e4m3, which has no Inf. */
  readonly overflow: number;
  /** Bits of the one NaN that we write. */
  readonly nan: number;
}

/** f16 is IEEE 754 binary16, bf16 the upper half of binary32, the fp8 pair as in OCP OFP8. */
export const smallFloatFormats: Readonly<Record<SmallFloat, SmallFloatFormat>> = {
  f16: {
    bits: 16,
    mantissaBits: 10,
    bias: 15,
    maxFinite: 0x7bff,
    overflow: 0x7c00,
    nan: 0x7e00,
  },
  bf16: {
    bits: 16,
    mantissaBits: 7,
    bias: 127,
    maxFinite: 0x7f7f,
    overflow: 0x7f80,
    nan: 0x7fc0,
  },
  e4m3: { bits: 8, mantissaBits: 3, bias: 7, maxFinite: 0x7e, overflow: 0x7f, nan: 0x7f },
  e5m2: { bits: 8, mantissaBits: 2, bias: 15, maxFinite: 0x7b, overflow: 0x7c, nan: 0x7e },
};

const tables = new Map<SmallFloat, Float64Array>();

/** The value of every bit pattern of a format, made when first asked for. */
export function decodeTable(dtype: SmallFloat): Float64Array {
  let table = tables.get(dtype);
  if (table === undefined) {
    const format = smallFloatFormats[dtype];
    table = Float64Array.from({ length: 2 ** format.bits }, (_, bits) => decode(format, bits));
    tables.set(dtype, table);
  }
  return table;
}

function decode(format: SmallFloatFormat, bits: number): number {
  const { mantissaBits, bias, maxFinite } = format;
  const signBit = 2 ** (format.bits - 1);
  const magnitude = bits & (signBit - 1);
  const sign = bits & signBit ? -1 : 1;
  if (magnitude > maxFinite) return magnitude === infinityOf(format) ? sign * Infinity : Number.NaN;
  const exponent = magnitude >>> mantissaBits;
  const mantissa = magnitude & (2 ** mantissaBits - 1);
  // The unit in the last place; subnormals share that of the smallest normal exponent.
  const unit = 2 ** (Math.max(exponent, 1) - bias - mantissaBits);
  return sign * (exponent === 0 ? mantissa : mantissa + 2 ** mantissaBits) * unit;
}

function infinityOf({ overflow, nan }: SmallFloatFormat): number {
  return overflow === nan ? -1 : overflow;
}
