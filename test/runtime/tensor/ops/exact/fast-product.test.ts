import { describe, expect, it } from "vitest";
import { fromValues, rand, randn, zeros } from "../../../../../src/runtime/tensor/create.ts";
import { gridsFor } from "../../../../../src/runtime/tensor/ops/exact/grids.ts";
import { matmul, matmulExact } from "../../../../../src/runtime/tensor/ops/index.ts";
import { exactProduct, formats, nearest } from "../big-number.ts";

/** The correctly rounded sum of the products, by exact arithmetic. */
function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0n;
  for (const [at, value] of left.entries()) sum += exactProduct(value, right[at] as number);
  return sum === 0n ? 0 : nearest(sum, formats.f32);
}

describe("an exact product of values near each other", () => {
  it("is right for long sums of large products, up to the widest spread that has grids", () => {
    let withGrids = 0;
    for (let bits = 0; bits <= 100; bits += 4) {
      const [large, small, other] = [1, 2, 3].map((seed) => rand([512], { seed: seed + bits }));
      // All positive and just below a power of two: sums use every bit there is room for.
      const left = Float32Array.from({ length: 512 }, (_, at) =>
        at % 2 === 0 ? 2 - 0.01 * (large?.at(at) ?? 0) : (2 - (small?.at(at) ?? 0)) * 2 ** -bits,
      );
      const right = Float32Array.from({ length: 512 }, (_, at) => 2 - 0.01 * (other?.at(at) ?? 0));
      if (gridsFor(Float64Array.from(left), Float64Array.from(right), 512)) withGrids++;
      const [a, b] = [
        fromValues(left, { shape: [1, 512] }),
        fromValues(right, { shape: [512, 1] }),
      ];
      const expected = dot(left, right);
      expect(matmulExact(a, b).round("f32").item(), `${bits} bits apart`).toBe(expected);
      expect(matmul(a, b, { accumulate: "exact" }).item(), `${bits} bits apart`).toBe(expected);
    }
    expect(withGrids).toBeGreaterThan(5);
    expect(withGrids).toBeLessThan(26);
  });

  it("has the same limbs when one value far away sends it the other way", () => {
    const [left, right] = [randn([33], { seed: 1 }), randn([33], { seed: 2 })];
    const product = (more: readonly number[], others: readonly number[]) =>
      matmulExact(
        fromValues([[...left.toNumbers(), ...more]]),
        fromValues([...right.toNumbers(), ...others].map((value) => [value])),
      );
    // Times zero: it adds nothing but the spread.
    const [near, spread] = [product([], []), product([2 ** -149], [0])];
    expect(spread.limbs.digest()).toBe(near.limbs.digest());
  });

  it("of zeros is zero, and of nothing has no elements", () => {
    expect(matmul(zeros([2, 3]), zeros([3, 2]), { accumulate: "exact" }).toArray()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(matmulExact(zeros([0, 3]), zeros([3, 2])).shape).toEqual([0, 2]);
  });

  it("has grids for usual values, and none for those too far apart or no numbers", () => {
    expect(gridsFor(Float64Array.of(1, 2 ** -40), Float64Array.of(1), 100)).toBeDefined();
    expect(gridsFor(Float64Array.of(1, 2 ** -149), Float64Array.of(1), 100)).toBeUndefined();
    expect(gridsFor(Float64Array.of(Number.NaN), Float64Array.of(1), 1)).toBeUndefined();
  });
});
