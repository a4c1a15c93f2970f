import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import {
  add,
  div,
  mul,
  neg,
  scale,
  sub,
  transpose,
} from "../../../../src/runtime/tensor/ops/index.ts";
import { hardValue } from "./arbitrary.ts";
import { exactly, exactProduct, formats, nearest } from "./big-number.ts";

describe("sums, differences and products", () => {
  it.each(["f64", "f32", "bf16", "f16"] as const)("of %s are correctly rounded", (dtype) => {
    fc.assert(
      fc.property(hardValue(dtype), hardValue(dtype), (x, y) => {
        const a = fromValues([x], { dtype });
        const b = fromValues([y], { dtype });
        const expected = (value: bigint): number =>
          value === 0n ? 0 : nearest(value, formats[dtype]);
        // Adding 0 makes one zero of both, whose sign the next test is about.
        expect(add(a, b).at(0) + 0).toBe(expected(exactly(x) + exactly(y)));
        expect(sub(a, b).at(0) + 0).toBe(expected(exactly(x) - exactly(y)));
        if (dtype !== "f64") expect(mul(a, b).at(0) + 0).toBe(expected(exactProduct(x, y)) + 0);
      }),
      { numRuns: 200 },
    );
  });

  it("keep the sign of zero, Inf and NaN as IEEE 754 has them", () => {
    const zero = fromValues([0]);
    const minus = fromValues([-0]);
    expect(add(minus, minus).at(0)).toBe(-0);
    expect(add(minus, zero).at(0)).toBe(0);
    expect(mul(minus, fromValues([3])).at(0)).toBe(-0);
    expect(neg(zero).at(0)).toBe(-0);
    expect(add(fromValues([Infinity]), fromValues([-Infinity])).at(0)).toBeNaN();
    expect(div(fromValues([1, -1, 0]), zero).toArray()).toEqual([Infinity, -Infinity, NaN]);
  });

  it("overflow to Inf, and stop at the ends of integers", () => {
    const large = fromValues([65504], { dtype: "f16" });
    expect(add(large, large).at(0)).toBe(Infinity);
    const whole = fromValues([2 ** 31 - 1, -5], { dtype: "i32" });
    expect(add(whole, whole).toArray()).toEqual([2 ** 31 - 1, -10]);
  });

  it("work in pieces on tensors larger than one", () => {
    const a = randn([9001], { seed: 1 });
    const b = randn([9001], { seed: 2 });
    const y = b.toNumbers();
    const expected = a.toNumbers().map((value, i) => Math.fround(value * (y[i] as number)));
    expect([...mul(a, b).toNumbers()]).toEqual([...expected]);
  });
});

describe("shapes", () => {
  it("grow to each other", () => {
    const column = fromValues([[1], [2]]);
    const row = fromValues([10, 20, 30]);
    expect(add(column, row).toArray()).toEqual([
      [11, 21, 31],
      [12, 22, 32],
    ]);
    expect(sub(fromValues(1), row).toArray()).toEqual([-9, -19, -29]);
  });

  it("are refused where they do not", () => {
    expect(() => add(randn([2, 3]), randn([2]))).toThrow(
      expect.objectContaining({ code: "E_SHAPE", message: expect.stringContaining("[2, 3]") }),
    );
  });

  it("can be turned without a copy", () => {
    const x = randn([2, 3, 4], { seed: 1 });
    expect(transpose(x, 0, 2).shape).toEqual([4, 3, 2]);
    expect(transpose(x).raw).toBe(x.raw);
    expect(() => transpose(x, 0, 3)).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
  });
});

describe("dtypes", () => {
  it("must be the same", () => {
    expect(() => add(randn([2]), randn([2], { dtype: "f16" }))).toThrow(
      expect.objectContaining({ code: "E_DTYPE", message: expect.stringContaining("f16") }),
    );
  });

  it("that an operation has no meaning for are refused", () => {
    const whole = fromValues([4], { dtype: "u8" });
    for (const run of [() => div(whole, whole), () => scale(whole, 2), () => neg(whole)]) {
      expect(run).toThrow(expect.objectContaining({ code: "E_DTYPE" }));
    }
    expect(neg(fromValues([4, 0], { dtype: "i32" })).toArray()).toEqual([-4, 0]);
  });

  it("do not round the factor of a scale", () => {
    const x = fromValues([3], { dtype: "bf16" });
    expect(scale(x, 1 / 3).at(0)).toBe(1);
  });
});
