/**
 * Exact arithmetic to judge by: whole multiples of 2^-2200, the square of which every product of
 * two doubles is a multiple of.
 */
const places = 2200n;

/** The exact value of a finite double. */
export function exactly(value: number): bigint {
  const words = new BigUint64Array(Float64Array.of(value).buffer);
  const bits = words[0] as bigint;
  const field = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  const significand = field === 0n ? fraction : fraction | (1n << 52n);
  const exponent = (field === 0n ? 1n : field) - 1075n;
  const magnitude = significand << (exponent + places);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** The exact product of two finite doubles. */
export function exactProduct(a: number, b: number): bigint {
  return (exactly(a) * exactly(b)) >> places;
}

/** The value of `precision` bits nearest to an exact number, ties to even; Inf from `overflow` on. */
export function nearest(
  value: bigint,
  format: { readonly precision: number; readonly minExponent: number; readonly overflow: number },
): number {
  const magnitude = value < 0n ? -value : value;
  const topExponent = magnitude.toString(2).length - 1 - Number(places);
  const lastExponent = Math.max(topExponent - format.precision + 1, format.minExponent);
  const drop = BigInt(lastExponent) + places;
  const kept = magnitude >> drop;
  const twice = (magnitude - (kept << drop)) * 2n;
  const up = twice > 1n << drop || (twice === 1n << drop && kept % 2n === 1n);
  const rounded = toDouble(up ? kept + 1n : kept, lastExponent);
  const limited = rounded >= format.overflow ? Infinity : rounded;
  return value < 0n ? -limited : limited;
}

/** A whole number of at most 53 bits times a power of two that may be far down. */
function toDouble(significand: bigint, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return Number(significand) * 2 ** half * 2 ** (exponent - half);
}

/** What `nearest` needs to know of the formats. */
export const formats = {
  f64: { precision: 53, minExponent: -1074, overflow: Infinity },
  f32: { precision: 24, minExponent: -149, overflow: 2 ** 128 },
  bf16: { precision: 8, minExponent: -133, overflow: 2 ** 128 },
  f16: { precision: 11, minExponent: -24, overflow: 2 ** 16 },
} as const;
