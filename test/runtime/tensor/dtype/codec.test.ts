import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allocateRaw,
  bytesOf,
  type DType,
  decodeInto,
  dtypeInfo,
  dtypes,
  encodeInto,
  encodeSaturatedInto,
  roundTo,
} from "../../../../src/runtime/tensor/dtype/index.ts";
import { formats, roundUnits, unitsOf } from "./rounding-oracle.ts";

function bytesHex(dtype: DType, ...values: number[]): string {
  const raw = allocateRaw(dtype, values.length);
  encodeInto(dtype, Float64Array.from(values), 0, values.length, raw);
  return Buffer.from(bytesOf(raw)).toString("hex");
}

describe("encodeInto", () => {
  it("rounds to f32 as exact arithmetic does", () => {
    const format = formats.f32;
    if (format === undefined) throw new Error("f32 has a format");
    const values = fc
      .tuple(fc.double({ min: 1, max: 2, noNaN: true }), fc.integer({ min: -155, max: 129 }))
      .map(([significand, exponent]) => significand * 2 ** exponent);
    fc.assert(
      fc.property(values, (value) => {
        const stored = roundTo("f32", value);
        const expected = roundUnits(unitsOf(value), format);
        if (expected === undefined) expect(stored).toBe(Infinity);
        else expect(unitsOf(stored)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("writes the same NaN for every NaN, and keeps the sign of zero", () => {
    const noisy = new Float64Array(BigUint64Array.of(0xfff4_0000_1234_5678n).buffer)[0] ?? 0;
    expect(bytesHex("f64", noisy, -0)).toBe("000000000000f87f0000000000000080");
    expect(bytesHex("f32", noisy, -0)).toBe("0000c07f00000080");
    expect(bytesHex("f16", noisy, -0)).toBe("007e0080");
    expect(bytesHex("bf16", noisy, -0)).toBe("c07f0080");
    expect(bytesHex("e4m3", noisy, -0)).toBe("7f80");
    expect(bytesHex("e5m2", noisy, -0)).toBe("7e80");
  });

  it("rounds to whole numbers, ties to even, and stops at the ends of their range", () => {
    const given = [-1e300, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 254.5, 255.5, 2 ** 31, Number.NaN];
    const [max, min] = [2 ** 31 - 1, -(2 ** 31)];
    expect(given.map((value) => roundTo("i32", value) + 0)).toEqual([
      min,
      -2,
      -2,
      0,
      0,
      2,
      2,
      254,
      256,
      max,
      0,
    ]);
    expect(given.map((value) => roundTo("u8", value) + 0)).toEqual([
      0, 0, 0, 0, 0, 2, 2, 254, 255, 255, 0,
    ]);
  });

  it.each(["f64", "f32"] as const)("saturates %s only when asked to", (dtype) => {
    const values = Float64Array.of(Infinity, -Infinity, Number.NaN);
    const raw = allocateRaw(dtype, 3);
    encodeInto(dtype, values, 0, 3, raw);
    expect(Array.from(raw)).toEqual([Infinity, -Infinity, Number.NaN]);
    encodeSaturatedInto(dtype, values, 0, 3, raw);
    const { max, min } = dtypeInfo(dtype);
    expect(Array.from(raw)).toEqual([max, min, Number.NaN]);
  });

  it.each(dtypes)("touches only the stretch it was given, of %s", (dtype) => {
    const raw = allocateRaw(dtype, 6);
    encodeInto(dtype, Float64Array.of(9, 1, 2, 9), 1, 2, raw, 3);
    const values = new Float64Array(8).fill(7);
    decodeInto(dtype, raw, 2, 4, values, 1);
    expect(Array.from(values)).toEqual([7, 0, 1, 2, 0, 7, 7, 7]);
  });

  it("refuses a stretch outside its arrays, and storage of another dtype", () => {
    const values = new Float64Array(4);
    const encode = (dtype: DType, start: number, count: number) => () =>
      encodeInto(dtype, values, start, count, new Float32Array(4));
    expect(encode("f32", 0, 4)).not.toThrow();
    expect(encode("f32", 1, 4)).toThrow("within its array");
    expect(encode("f32", -1, 2)).toThrow("whole numbers");
    expect(encode("f16", 0, 4)).toThrow("of the dtype");
    expect(() => decodeInto("u8", new Float32Array(4), 0, 4, values)).toThrow("of the dtype");
  });
});

describe("dtypeInfo", () => {
  it.each(dtypes)("tells the largest and smallest values that %s keeps", (dtype) => {
    const { max, min, minExponent, maxExponent, smallestNormal, hasInfinity } = dtypeInfo(dtype);
    expect(roundTo(dtype, max)).toBe(max);
    expect(roundTo(dtype, min)).toBe(min);
    expect(max).toBeGreaterThanOrEqual(2 ** maxExponent);
    expect(max / 2).toBeLessThan(2 ** maxExponent);
    expect(roundTo(dtype, 2 ** minExponent)).toBe(2 ** minExponent);
    expect(roundTo(dtype, smallestNormal)).toBe(smallestNormal);
    expect(roundTo(dtype, Infinity) === Infinity).toBe(hasInfinity);
  });

  it.each(["f32", "f16", "bf16", "e4m3", "e5m2"] as const)(
    "tells how fine %s is, and that it is no finer",
    (dtype) => {
      const { precision, minExponent } = dtypeInfo(dtype);
      const next = 1 + 2 ** (1 - precision);
      expect(roundTo(dtype, next)).toBe(next);
      expect(roundTo(dtype, 1 + 2 ** -precision)).toBe(1);
      expect(roundTo(dtype, 2 ** (minExponent - 1))).toBe(0);
    },
  );
});
