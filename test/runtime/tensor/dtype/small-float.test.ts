import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allocateRaw,
  type DType,
  decodeInto,
  encodeInto,
  encodeSaturatedInto,
  roundTo,
} from "../../../../src/runtime/tensor/dtype/index.ts";
import { type Format, formats, roundUnits, unitsOf } from "./rounding-oracle.ts";

type Small = "f16" | "bf16" | "e4m3" | "e5m2";
const smalls: readonly Small[] = ["f16", "bf16", "e4m3", "e5m2"];
const canonicalNaN = { f16: 0x7e00, bf16: 0x7fc0, e4m3: 0x7f, e5m2: 0x7e };

function formatOf(dtype: DType): Format {
  const format = formats[dtype];
  if (format === undefined) throw new Error(`no format for ${dtype}`);
  return format;
}

function encodeAll(dtype: DType, values: Float64Array): ArrayLike<number> {
  const raw = allocateRaw(dtype, values.length);
  encodeInto(dtype, values, 0, values.length, raw);
  return raw;
}

function everyPattern(dtype: Small): { bits: Uint16Array | Uint8Array; values: Float64Array } {
  const bits = allocateRaw(dtype, dtype === "f16" || dtype === "bf16" ? 65536 : 256);
  for (let pattern = 0; pattern < bits.length; pattern++) bits[pattern] = pattern;
  const values = new Float64Array(bits.length);
  decodeInto(dtype, bits, 0, bits.length, values);
  return { bits: bits as Uint16Array, values };
}

/** The finite values from 0 up, in order: their bits count up. */
function ladder(dtype: Small): Float64Array {
  const { values } = everyPattern(dtype);
  const end = values.findIndex((value) => !Number.isFinite(value));
  return values.subarray(0, end);
}

/** The double that follows a positive one. */
function above(value: number): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] = (bits[0] ?? 0n) + 1n;
  return new Float64Array(bits.buffer)[0] ?? 0;
}

function below(value: number): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] = (bits[0] ?? 0n) - 1n;
  return new Float64Array(bits.buffer)[0] ?? 0;
}

describe.each(smalls)("%s", (dtype) => {
  const format = formatOf(dtype);

  it("decodes every bit pattern to the value that its standard gives", () => {
    const { bits, values } = everyPattern(dtype);
    const signBit = bits.length / 2;
    const mantissaBits = format.precision - 1;
    let wrong = 0;
    for (let pattern = 0; pattern < signBit; pattern++) {
      const exponent = pattern >> mantissaBits;
      const mantissa = BigInt(pattern % 2 ** mantissaBits);
      const significand = exponent === 0 ? mantissa : mantissa + (1n << BigInt(mantissaBits));
      const quantum = Math.max(exponent, 1) - format.bias - mantissaBits;
      const units = significand << BigInt(quantum + 1074);
      const value = values[pattern] as number;
      const finite = units <= format.maxSignificand << BigInt(format.maxQuantum + 1074);
      if (finite) wrong += value >= 0 && unitsOf(value) === units ? 0 : 1;
      else if (dtype !== "e4m3" && mantissa === 0n) wrong += value === Infinity ? 0 : 1;
      else wrong += Number.isNaN(value) ? 0 : 1;
      wrong += Object.is(values[pattern + signBit], -value) ? 0 : 1;
    }
    expect(wrong).toBe(0);
  });

  it("encodes every decoded pattern to itself, and every NaN to one of them", () => {
    const { bits, values } = everyPattern(dtype);
    const again = encodeAll(dtype, values);
    const expected = Array.from(bits, (pattern, index) =>
      Number.isNaN(values[index]) ? canonicalNaN[dtype] : pattern,
    );
    expect(Array.from(again)).toEqual(expected);
  });

  it("rounds every halfway case to even, and its neighbours to the nearer side", () => {
    const values = ladder(dtype);
    const halves = values
      .subarray(1)
      .map((value, index) => (value + (values[index] as number)) / 2);
    for (const sign of [1, -1]) {
      const signBits = sign < 0 ? 2 ** (dtype === "f16" || dtype === "bf16" ? 15 : 7) : 0;
      const encoded = (of: (half: number) => number) =>
        Array.from(
          encodeAll(
            dtype,
            halves.map((half) => sign * of(half)),
          ),
        );
      const lower = Array.from(halves, (_, index) => index + signBits);
      expect(encoded(below)).toEqual(lower);
      expect(encoded(above)).toEqual(lower.map((bits) => bits + 1));
      expect(encoded((half) => half)).toEqual(lower.map((bits) => bits + (bits % 2)));
    }
  });

  it("overflows from half a step beyond the largest value on, and not before", () => {
    const max = Number(format.maxSignificand) * 2 ** format.maxQuantum;
    const edge = max + 2 ** (format.maxQuantum - 1);
    const tooLarge = dtype === "e4m3" ? Number.NaN : Infinity;
    expect(roundTo(dtype, max)).toBe(max);
    expect(roundTo(dtype, below(edge))).toBe(max);
    expect(roundTo(dtype, above(edge))).toBe(tooLarge);
    // The largest value of e4m3 is even and keeps the tie; of the others it is odd.
    expect(roundTo(dtype, edge)).toBe(dtype === "e4m3" ? max : tooLarge);
    expect(roundTo(dtype, -above(edge))).toBe(-tooLarge);
    expect(roundTo(dtype, Infinity)).toBe(tooLarge);
    expect(roundTo(dtype, Number.MAX_VALUE)).toBe(tooLarge);
  });

  it("keeps the sign of what vanishes", () => {
    const half = (ladder(dtype)[1] as number) / 2;
    const vanishing = [half, half / 2, 2 ** -1000, Number.MIN_VALUE, 0];
    for (const value of vanishing) {
      expect(roundTo(dtype, value)).toBe(0);
      expect(roundTo(dtype, -value)).toBe(-0);
    }
    expect(roundTo(dtype, above(half))).toBe(2 * half);
  });

  it("rounds any double as exact arithmetic does", () => {
    const bits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    // Arbitrary doubles are mostly out of range: most of these are moved to where the values are.
    const { bias } = format;
    const near = fc
      .tuple(
        fc.double({ min: 1, max: 2, noNaN: true }),
        fc.integer({ min: -bias - 14, max: bias + 2 }),
      )
      .map(([significand, exponent]) => significand * 2 ** exponent);
    const any = bits.map((pattern) => new Float64Array(BigUint64Array.of(pattern).buffer)[0] ?? 0);
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: near }, any), (value) => {
        const stored = roundTo(dtype, value);
        if (Number.isNaN(value)) {
          expect(stored).toBe(Number.NaN);
          return;
        }
        const expected =
          Math.abs(value) === Infinity ? undefined : roundUnits(unitsOf(value), format);
        if (expected === undefined) {
          expect(Math.abs(stored)).toBe(dtype === "e4m3" ? Number.NaN : Infinity);
        } else {
          expect(unitsOf(stored)).toBe(expected);
          expect(Object.is(Math.sign(stored), -0) || stored < 0).toBe(
            Object.is(Math.sign(value), -0) || value < 0,
          );
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("stops at the largest value when asked to saturate", () => {
    const max = Number(format.maxSignificand) * 2 ** format.maxQuantum;
    const values = Float64Array.of(Infinity, -Infinity, 1e300, -1e300, Number.NaN, 1);
    const raw = allocateRaw(dtype, values.length);
    encodeSaturatedInto(dtype, values, 0, values.length, raw);
    const stored = new Float64Array(values.length);
    decodeInto(dtype, raw, 0, values.length, stored);
    expect(Array.from(stored)).toEqual([max, -max, max, -max, Number.NaN, 1]);
  });
});

describe("rounding once", () => {
  it.each<[Small, number, number]>([
    ["f16", 1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -10],
    ["bf16", 1 + 2 ** -8 + 2 ** -40, 1 + 2 ** -7],
    ["e4m3", 1 + 2 ** -4 + 2 ** -40, 1 + 2 ** -3],
    ["e5m2", 1 + 2 ** -3 + 2 ** -40, 1 + 2 ** -2],
  ])("%s sees bits that a detour over f32 would lose", (dtype, value, expected) => {
    expect(roundTo(dtype, value)).toBe(expected);
    expect(roundTo(dtype, Math.fround(value))).toBe(1);
  });
});
