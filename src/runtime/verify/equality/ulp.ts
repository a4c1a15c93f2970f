import { highHalf } from "../../tensor/dtype/byte-order.ts";
import {
  allocateRaw,
  bitsOf,
  type DType,
  dtypeInfo,
  encodeInto,
  parseDType,
  type RawArray,
} from "../../tensor/dtype/index.ts";

/** The bits of one element: the lower 32, and of f64 the upper 32. */
export interface ElementBits {
  readonly low: number;
  readonly high: number;
}

/** A dtype whose elements have an order: those of tensors, and i8, which only GPUs have. */
export type OrderedDType = DType | "i8";

/** Bits of the largest magnitude that is no NaN, without the sign: Inf, or the largest finite value. */
const lastNumber: Readonly<Record<"f32" | "f16" | "bf16" | "e4m3" | "e5m2", number>> = {
  f32: 0x7f800000,
  f16: 0x7c00,
  bf16: 0x7f80,
  e4m3: 0x7e,
  e5m2: 0x7c,
};
/** The value of the sign's bit, by bytes. */
const signs = { 1: 0x80, 2: 0x8000, 4: 0x80000000, 8: 2 ** 63 } as const;
const lastNumberF64 = 0x7ff0000000000000n;

/**
 * How many steps lie between two values along all values of a dtype, exactly. Both are rounded to the
 * dtype first. -0 and 0 are one value; the step from the largest finite value leads to infinity, so
 * that even infinities have a distance. Integers count in ones.
 *
 * @returns undefined when either is NaN.
 * @throws E_DTYPE
 */
export function ulpDistance(a: number, b: number, dtype: DType): bigint | undefined {
  const known = parseDType(dtype);
  const raw = allocateRaw(known, 2);
  encodeInto(known, Float64Array.of(a, b), 0, 2, raw);
  const { kind } = dtypeInfo(known);
  if (kind === "integer" && (Number.isNaN(a) || Number.isNaN(b))) return undefined;
  return distanceOfBits(known, bitsAt(raw, 0), bitsAt(raw, 1));
}

/** Storage as whole numbers: one for each element, two for each of f64. */
export type Words = ReturnType<typeof bitsOf>;

/** The bits of an element of storage. */
export function bitsAt(raw: RawArray, index: number): ElementBits {
  const perElement = raw instanceof Float64Array ? 2 : 1;
  return bitsIn(bitsOf(raw), { at: index, perElement });
}

/** The same, where the words are at hand. */
export function bitsIn(
  words: Words,
  { at, perElement }: { readonly at: number; readonly perElement: 1 | 2 },
): ElementBits {
  if (perElement === 1) return { low: words[at] as number, high: 0 };
  return { low: words[2 * at + 1 - highHalf] as number, high: words[2 * at + highHalf] as number };
}

/** The distance of two elements by their bits; undefined when either is NaN. */
export function distanceOfBits(
  dtype: OrderedDType,
  a: ElementBits,
  b: ElementBits,
): bigint | undefined {
  if (dtype !== "f64") {
    const distance = shortDistance(dtype, a.low, b.low);
    return distance === undefined ? undefined : BigInt(distance);
  }
  const [one, other] = [orderOfF64(a), orderOfF64(b)];
  if (one === undefined || other === undefined) return undefined;
  return one > other ? one - other : other - one;
}

/** The same as a number, rounded from 2^53 on; null when either is NaN. */
export function ulpsOfBits(dtype: OrderedDType, a: ElementBits, b: ElementBits): number | null {
  if (dtype !== "f64") return shortDistance(dtype, a.low, b.low) ?? null;
  const distance = distanceOfBits(dtype, a, b);
  return distance === undefined ? null : Number(distance);
}

/** Of formats up to 32 bits, whose distances a double holds. */
function shortDistance(
  dtype: Exclude<OrderedDType, "f64">,
  a: number,
  b: number,
): number | undefined {
  const [one, other] = [orderOf(dtype, a), orderOf(dtype, b)];
  return one === undefined || other === undefined ? undefined : Math.abs(one - other);
}

/** The place of a value among all of its dtype, 0 in the middle; undefined for NaN. */
function orderOf(dtype: Exclude<OrderedDType, "f64">, bits: number): number | undefined {
  if (dtype === "i32") return bits | 0;
  if (dtype === "u8") return bits;
  if (dtype === "i8") return (bits << 24) >> 24;
  const sign = signs[dtypeInfo(dtype).bytes];
  const isNegative = bits >= sign;
  const magnitude = isNegative ? bits - sign : bits;
  if (magnitude > lastNumber[dtype]) return undefined;
  return isNegative ? -magnitude : magnitude;
}

function orderOfF64({ low, high }: ElementBits): bigint | undefined {
  const magnitude = (BigInt(high & 0x7fffffff) << 32n) | BigInt(low);
  if (magnitude > lastNumberF64) return undefined;
  return high >= 0x80000000 ? -magnitude : magnitude;
}
