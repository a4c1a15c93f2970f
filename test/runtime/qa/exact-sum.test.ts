import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundToF32, sumExactly, unitsOf } from "../../../src/runtime/qa/inputs/exact-sum.ts";

const f32 = fc.float({ noNaN: true, noDefaultInfinity: true });
const sumOf = (values: readonly number[]) => roundToF32(sumExactly(values));

describe("the sum by whole numbers", () => {
  it("is the number itself for one number", () => {
    fc.assert(
      fc.property(f32, (value) => {
        expect(sumOf([value])).toBe(value);
      }),
    );
  });

  it("is what f64 gives where f64 is exact", () => {
    const small = fc.integer({ min: -(2 ** 22), max: 2 ** 22 });
    const values = fc.array(small, { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(values, (all) => {
        const total = all.reduce((sum, value) => sum + value, 0);
        expect(sumOf(all)).toBe(Math.fround(total));
      }),
    );
  });

  it("does not depend on the order", () => {
    const shuffled = fc
      .array(f32, { minLength: 1, maxLength: 20 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        expect(sumOf(other)).toBe(sumOf(all));
      }),
    );
  });

  it("keeps what cancellation would lose", () => {
    expect(sumOf([1e8, 1, -1e8, 1])).toBe(2);
    expect(sumOf([2 ** 100, 2 ** -149, -(2 ** 100)])).toBe(2 ** -149);
  });

  it("rounds halves to even", () => {
    expect(sumOf([2 ** 24, 1])).toBe(2 ** 24);
    expect(sumOf([2 ** 24 + 2, 1])).toBe(2 ** 24 + 4);
    expect(sumOf([2 ** 24, 1, 2 ** -149])).toBe(2 ** 24 + 2);
  });

  it("overflows to infinity, and knows what is no number", () => {
    const largest = (2 - 2 ** -23) * 2 ** 127;
    expect(sumOf([largest, largest])).toBe(Number.POSITIVE_INFINITY);
    expect(sumOf([-largest, -largest])).toBe(Number.NEGATIVE_INFINITY);
    expect(sumOf([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBeNaN();
    expect(sumOf([Number.NaN, 1])).toBeNaN();
  });

  it("is -0 only when every value is", () => {
    expect(sumOf([-0, -0])).toBe(-0);
    expect(sumOf([-0, 0])).toBe(0);
    expect(sumOf([1, -1])).toBe(0);
  });

  it("counts in the smallest subnormal", () => {
    expect(unitsOf(2 ** -149)).toBe(1n);
    expect(unitsOf(-(2 ** -126))).toBe(-(1n << 23n));
  });
});
