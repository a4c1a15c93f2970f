import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues, randn } from "../../../../../src/runtime/tensor/create.ts";
import { exactSum, sum } from "../../../../../src/runtime/tensor/ops/index.ts";
import { hardValue } from "../arbitrary.ts";
import { exactly, formats, nearest } from "../big-number.ts";

describe("an exact sum", () => {
  it.each(["f64", "f32", "bf16", "f16"] as const)("of %s is correctly rounded", (dtype) => {
    fc.assert(
      fc.property(fc.array(hardValue(dtype), { minLength: 1, maxLength: 40 }), (values) => {
        const x = fromValues(Float64Array.from(values), { dtype });
        const total = values.reduce((before, value) => before + exactly(value), 0n);
        const expected = total === 0n ? 0 : nearest(total, formats[dtype]);
        expect(exactSum(x, { dims: 0 }).round(dtype).item()).toBe(expected);
      }),
      { numRuns: 100 },
    );
  });

  it("rounds a tie to even and what is just beside it to its side", () => {
    const halfway = [1, 2 ** -24];
    expect(sum(fromValues(halfway), { accumulate: "exact" }).item()).toBe(1);
    const above = sum(fromValues([...halfway, 2 ** -149]), { accumulate: "exact" });
    const below = sum(fromValues([1 + 2 ** -23, 2 ** -24, -(2 ** -149)]), { accumulate: "exact" });
    expect(above.item()).toBe(1 + 2 ** -23);
    expect(below.item()).toBe(1 + 2 ** -23);
  });

  it("keeps what is below everything by more than a double can say", () => {
    const x = fromValues([1, 2 ** -11, 2 ** -1000, -(2 ** -1074)], { dtype: "f64" });
    const total = exactSum(x, { dims: 0 });
    expect(total.round("f16").item()).toBe(1 + 2 ** -10);
    const less = exactSum(fromValues([1, 2 ** -11, -(2 ** -1074)], { dtype: "f64" }), { dims: 0 });
    expect(less.round("f16").item()).toBe(1);
  });

  it.each([1, -1])("rounds to f64 by what is far below, here with sign %i", (sign) => {
    const tie = [1 + 2 ** -52, 2 ** -53, sign * 2 ** -1074];
    const total = exactSum(fromValues(tie, { dtype: "f64" }), { dims: 0 });
    expect(total.round("f64").item()).toBe(sign > 0 ? 1 + 2 ** -51 : 1 + 2 ** -52);
  });

  it("stays exact over more summands than a limb can take without a carry", () => {
    const count = 2 ** 21 + 3;
    // Fills a limb from the top; the last summand is the lowest bit of the same limb.
    const large = 2 ** 21 * (2 - 2 ** -23);
    const values = new Float32Array(count + 1).fill(large);
    values[count] = 2 ** -10;
    const total = exactSum(fromValues(values), { dims: 0 });
    const taken = exactSum(fromValues([-large]).expand([count]), { dims: 0 });
    expect(total.plus(taken).round("f32").item()).toBe(2 ** -10);
  });

  it("goes along any dimensions", () => {
    const x = randn([3, 4, 5], { seed: 9 });
    const total = exactSum(x, { dims: [0, -1] });
    expect(total.shape).toEqual([4]);
    const moved = exactSum(x.permute([1, 2, 0]).reshape([4, 15]), { dims: 1 });
    expect(total.limbs.digest()).toBe(moved.limbs.digest());
  });

  it("is refused for integers, for no dimensions and for those that are not there", () => {
    const x = fromValues([[1, 2]]);
    expect(() => exactSum(x.to("i32"), { dims: 0 })).toThrow(
      expect.objectContaining({ code: "E_DTYPE" }),
    );
    for (const dims of [[], 2]) {
      expect(() => exactSum(x, { dims })).toThrow(expect.objectContaining({ code: "E_SHAPE" }));
    }
  });
});
