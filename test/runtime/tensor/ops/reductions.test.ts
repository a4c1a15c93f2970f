import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../src/runtime/tensor/create.ts";
import { max, mean, min, sum } from "../../../../src/runtime/tensor/ops/index.ts";
import { hardValue } from "./arbitrary.ts";

describe("sum and mean", () => {
  it("add in f64 in row-major order and round once", () => {
    fc.assert(
      fc.property(fc.array(hardValue("f32"), { minLength: 1, maxLength: 50 }), (values) => {
        const x = fromValues(Float64Array.from(values));
        const total = values.reduce((before, value) => before + value, 0);
        expect(sum(x).item()).toBe(Math.fround(total));
        expect(mean(x).item()).toBe(Math.fround(total / values.length));
      }),
      { numRuns: 100 },
    );
  });

  it("take the reduced dimensions in row-major order, whichever way round they are named", () => {
    const x = fromValues(
      [
        [
          [1e16, 1],
          [2, 3],
        ],
        [
          [-1e16, 4],
          [5, 6],
        ],
      ],
      { dtype: "f64" },
    );
    // Per middle index: 1e16 + 1 - 1e16 + 4, where the 1 is lost; 2 + 3 + 5 + 6.
    expect(sum(x, { dims: [2, 0] }).toArray()).toEqual([4, 16]);
    expect(sum(x, { dims: [0, 2] }).toArray()).toEqual([4, 16]);
    expect(sum(x, { dims: [0, 2], accumulate: "exact" }).toArray()).toEqual([5, 16]);
  });

  it("are the same in tensors of many pieces", () => {
    const x = randn([3, 5001], { seed: 2 });
    const totals = [0, 1, 2].map((row) =>
      Math.fround(
        x
          .slice([row])
          .toNumbers()
          .reduce((before, value) => before + value, 0),
      ),
    );
    expect(sum(x, { dims: 1 }).toArray()).toEqual(totals);
    expect(max(x, { dims: 0 }).toNumbers()).toEqual(
      x
        .slice([0])
        .toNumbers()
        .map((value, i) => Math.max(value, x.at(1, i), x.at(2, i))),
    );
  });

  it("of a row do not depend on other rows", () => {
    const x = randn([5, 33], { seed: 1 });
    const all = sum(x, { dims: 1 });
    for (let row = 0; row < 5; row++) expect(all.at(row)).toBe(sum(x.slice([row])).item());
  });

  it("keep dimensions when asked", () => {
    const x = randn([2, 3, 4]);
    expect(sum(x, { dims: [0, 2], keepDims: true }).shape).toEqual([1, 3, 1]);
    expect(sum(x, { dims: 1 }).shape).toEqual([2, 4]);
    expect(sum(x).shape).toEqual([]);
  });

  it("of nothing are 0 and NaN", () => {
    expect(sum(randn([2, 0]), { dims: 1 }).toArray()).toEqual([0, 0]);
    expect(mean(randn([0])).item()).toBeNaN();
  });

  it("of integers are exact as long as they fit, and only sums are taken", () => {
    const x = fromValues([2_000_000_000, 5, -2_000_000_000], { dtype: "i32" });
    expect(sum(x).item()).toBe(5);
    expect(() => mean(x)).toThrow(expect.objectContaining({ code: "E_DTYPE" }));
  });

  it("are refused along dimensions that are not there", () => {
    expect(() => sum(randn([2]), { dims: 1 })).toThrow(
      expect.objectContaining({ code: "E_SHAPE" }),
    );
  });
});

describe("max and min", () => {
  it("are exact along dimensions", () => {
    const x = fromValues([
      [1, 5, 3],
      [-2, 0, 9],
    ]);
    expect(max(x, { dims: 1 }).toArray()).toEqual([5, 9]);
    expect(min(x, { dims: 0 }).toArray()).toEqual([-2, 0, 3]);
  });

  it("order the zeros and let NaN through", () => {
    const zeros = fromValues([0, -0]);
    expect(max(zeros).item()).toBe(0);
    expect(min(zeros).item()).toBe(-0);
    expect(max(fromValues([1, NaN, Infinity])).item()).toBeNaN();
    expect(min(fromValues([NaN, 1])).item()).toBeNaN();
  });

  it("of nothing are refused", () => {
    expect(() => max(randn([0]))).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
  });
});
