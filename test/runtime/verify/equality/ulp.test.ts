import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeInto, encodeInto } from "../../../../src/runtime/tensor/dtype/index.ts";
import { type DType, dtypeInfo } from "../../../../src/runtime/tensor/index.ts";
import { ulpDistance } from "../../../../src/runtime/verify/equality/index.ts";
import { bitsAt, ulpsOfBits } from "../../../../src/runtime/verify/equality/ulp.ts";

const small = ["f16", "bf16", "e4m3", "e5m2"] as const;

/** Every value of a short format but NaN, in order, -0 and 0 once. */
function allValues(dtype: (typeof small)[number]): readonly number[] {
  const wide = dtypeInfo(dtype).bytes === 2;
  const count = wide ? 65_536 : 256;
  const raw = wide ? new Uint16Array(count) : new Uint8Array(count);
  for (let bits = 0; bits < count; bits++) raw[bits] = bits;
  const values = new Float64Array(count);
  decodeInto(dtype, raw, 0, count, values);
  const numbers = [...values].filter((value) => !Number.isNaN(value)).map((value) => value + 0);
  return [...new Set(numbers)].toSorted((one, other) => one - other);
}

/** An integer that counts the values of f64 or f32 from zero, by exact arithmetic on the value. */
function placeOf(value: number, dtype: "f64" | "f32"): bigint {
  const { precision, minExponent, maxExponent } = dtypeInfo(dtype);
  const magnitude = Math.abs(value);
  const perBinade = 1n << BigInt(precision - 1);
  const binades = BigInt(maxExponent - (minExponent + precision - 1) + 1);
  const sign = value < 0 ? -1n : 1n;
  if (magnitude === Number.POSITIVE_INFINITY) return sign * (perBinade * (binades + 1n));
  let exponent = minExponent + precision - 1;
  // The unit in the last place of the binade that holds the value.
  while (exponent < maxExponent && magnitude >= 2 ** (exponent + 1)) exponent++;
  const unitExponent = exponent - precision + 1;
  const scaled = BigInt(
    magnitude /
      2 ** Math.trunc(unitExponent / 2) /
      2 ** (unitExponent - Math.trunc(unitExponent / 2)),
  );
  const binade = BigInt(exponent - (minExponent + precision - 1));
  return sign * (binade * perBinade + scaled);
}

describe("ulpDistance", () => {
  it.each(small)("counts the values of %s between two, infinities included", (dtype) => {
    const values = allValues(dtype);
    const place = fc.nat(values.length - 1);
    fc.assert(
      fc.property(place, place, (one, other) => {
        const distance = ulpDistance(values[one] as number, values[other] as number, dtype);
        expect(distance).toBe(BigInt(Math.abs(one - other)));
      }),
      { numRuns: 300 },
    );
  });

  it.each(["f64", "f32"] as const)(
    "counts exactly in %s, across zero and up to infinity",
    (dtype) => {
      const value = dtype === "f64" ? fc.double({ noNaN: true }) : fc.float({ noNaN: true });
      fc.assert(
        fc.property(value, value, (a, b) => {
          const wanted = placeOf(a, dtype) - placeOf(b, dtype);
          expect(ulpDistance(a, b, dtype)).toBe(wanted < 0n ? -wanted : wanted);
        }),
      );
    },
  );

  it("has known answers at the edges", () => {
    expect(ulpDistance(0, -0, "f32")).toBe(0n);
    expect(ulpDistance(1, 1 + 2 ** -23, "f32")).toBe(1n);
    expect(ulpDistance(2 ** -149, -(2 ** -149), "f32")).toBe(2n);
    expect(ulpDistance(Number.MAX_VALUE, Number.POSITIVE_INFINITY, "f64")).toBe(1n);
    expect(ulpDistance(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, "f64")).toBe(
      0xffe0000000000000n,
    );
    expect(ulpDistance(-3, 4, "i32")).toBe(7n);
    expect(ulpDistance(3, 250, "u8")).toBe(247n);
  });

  it("has none with a NaN, of whatever payload", () => {
    expect(ulpDistance(Number.NaN, 1, "f32")).toBeUndefined();
    expect(ulpDistance(Number.NaN, Number.NaN, "e4m3")).toBeUndefined();
    expect(ulpDistance(Number.NaN, 1, "i32")).toBeUndefined();
    const odd = new Float32Array(new Uint32Array([0xffc00001, 0x3f800000]).buffer);
    expect(ulpsOfBits("f32", bitsAt(odd, 0), bitsAt(odd, 1))).toBeNull();
  });

  it("is a distance: 0 for the same, the same both ways, no shorter by a detour", () => {
    const dtypes: readonly DType[] = ["f64", "f32", "f16", "bf16", "e5m2", "i32"];
    const value = fc.double({ noNaN: true, min: -1e4, max: 1e4 });
    fc.assert(
      fc.property(fc.constantFrom(...dtypes), value, value, value, (dtype, a, b, c) => {
        const d = (one: number, other: number) => ulpDistance(one, other, dtype) ?? -1n;
        expect(d(a, a)).toBe(0n);
        expect(d(a, b)).toBe(d(b, a));
        expect(d(a, c) <= d(a, b) + d(b, c)).toBe(true);
      }),
    );
  });

  it("knows i8 by its bits", () => {
    expect(ulpsOfBits("i8", { low: 0xff, high: 0 }, { low: 2, high: 0 })).toBe(3);
  });

  it("agrees with the encoding of random bits", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (one, other) => {
        const raw = new Float32Array(Int32Array.of(one, other).buffer);
        const wanted = ulpDistance(raw[0] as number, raw[1] as number, "f32");
        const found = ulpsOfBits("f32", bitsAt(raw, 0), bitsAt(raw, 1));
        expect(found).toBe(wanted === undefined ? null : Number(wanted));
        const again = new Float32Array(2);
        encodeInto("f32", Float64Array.from(raw), 0, 2, again);
        if (!Number.isNaN(raw[0])) expect(again[0]).toBe(raw[0]);
      }),
    );
  });
});
