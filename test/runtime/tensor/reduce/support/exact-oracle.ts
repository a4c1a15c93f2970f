import type { DType } from "../../../../../src/runtime/tensor/dtype/index.ts";

/** Exact arithmetic on stored bits, in BigInt and on its own: shares no code with what it judges. */
interface Format {
  readonly exponentBits: number;
  readonly mantissaBits: number;
  /** Bits of the NaN that results must have. */
  readonly nan: bigint;
  /** What becomes of a result that is too large. */
  readonly overflow: bigint;
  /** Bits of the largest finite value. */
  readonly maxFinite: bigint;
}

export type FloatType = Exclude<DType, "i32" | "u8">;

const formats: Readonly<Record<FloatType, Format>> = {
  f64: ieee(11, 52),
  f32: ieee(8, 23),
  f16: ieee(5, 10),
  bf16: ieee(8, 7),
  e5m2: ieee(5, 2),
  e4m3: { exponentBits: 4, mantissaBits: 3, nan: 0x7fn, overflow: 0x7fn, maxFinite: 0x7en },
};

function ieee(exponentBits: number, mantissaBits: number): Format {
  const infinity = ((1n << BigInt(exponentBits)) - 1n) << BigInt(mantissaBits);
  const nan = infinity | (1n << BigInt(mantissaBits - 1));
  return { exponentBits, mantissaBits, nan, overflow: infinity, maxFinite: infinity - 1n };
}

/** The exact sum, or with `average` the exact quotient, rounded once to nearest, ties to even. */
export function exactBits(dtype: FloatType, values: readonly bigint[], average: boolean): bigint {
  const format = formats[dtype];
  const sign = 1n << BigInt(format.exponentBits + format.mantissaBits);
  const infinity = format.overflow === format.nan ? undefined : format.overflow;
  let sum = 0n;
  let infinities = 0n;
  for (const bits of values) {
    const magnitude = bits & (sign - 1n);
    const isNegative = (bits & sign) !== 0n;
    if (magnitude === infinity) infinities |= isNegative ? 2n : 1n;
    else if (magnitude > format.maxFinite) return format.nan;
    else sum += isNegative ? -unitsOf(magnitude, format) : unitsOf(magnitude, format);
  }
  if (infinities === 3n) return format.nan;
  if (infinities !== 0n) return infinities === 2n ? sign | format.overflow : format.overflow;
  if (sum === 0n) return values.every((bits) => bits === sign) ? sign : 0n;
  const divisor = average ? BigInt(values.length) : 1n;
  const bits = roundBits(sum < 0n ? -sum : sum, divisor, format);
  // The NaN that e4m3 has for what is too large carries no sign.
  if (bits === format.nan) return bits;
  return sum < 0n ? sign | bits : bits;
}

/** A finite magnitude as a multiple of the format's smallest value. */
function unitsOf(magnitude: bigint, { mantissaBits }: Format): bigint {
  const exponent = magnitude >> BigInt(mantissaBits);
  const mantissa = magnitude & ((1n << BigInt(mantissaBits)) - 1n);
  if (exponent === 0n) return mantissa;
  return (mantissa | (1n << BigInt(mantissaBits))) << (exponent - 1n);
}

/** `units / divisor` smallest values, rounded, as the bits of a magnitude. */
function roundBits(units: bigint, divisor: bigint, format: Format): bigint {
  const precision = format.mantissaBits + 1;
  const lengthOf = (value: bigint) => value.toString(2).length;
  let shift = Math.max(0, lengthOf(units / divisor) - precision);
  let rounded = divideToEven(units, divisor << BigInt(shift));
  if (lengthOf(rounded) > precision) {
    shift++;
    rounded = divideToEven(units, divisor << BigInt(shift));
  }
  const hidden = 1n << BigInt(format.mantissaBits);
  const bits = rounded < hidden ? rounded : rounded - hidden + BigInt(shift + 1) * hidden;
  return bits > format.maxFinite ? format.overflow : bits;
}

function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator - quotient * denominator);
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}
