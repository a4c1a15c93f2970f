import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DType,
  fromValues,
  rand,
  randn,
  zeros,
} from "../../../../src/runtime/tensor/index.ts";
import { ExactTensor, exactSum, matmulExact } from "../../../../src/runtime/tensor/ops/index.ts";
import { gridsFor } from "../../../../src/runtime/training/exact/grids.ts";
import {
  addOpen,
  exactProduct,
  type OpenSum,
  openSumOf,
  roundedProduct,
  roundOpen,
} from "../../../../src/runtime/training/exact/index.ts";

/** In normal form, in which equal sums are equal. */
function limbsOf({ limbs, dtype }: OpenSum | ExactTensor): string {
  return ExactTensor.fromLimbs(limbs, { dtype }).limbs.digest();
}

/** Floats of every size, also far apart, zero and subnormal. */
const spread = fc.oneof(
  { weight: 4, arbitrary: fc.float({ noNaN: true, noDefaultInfinity: true, min: -4, max: 4 }) },
  { weight: 1, arbitrary: fc.float({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 2 ** -149, -(2 ** -126), 2 ** 20, 3.4e38) },
);

describe("the fast exact product", () => {
  it("has the limbs of the slow one, for values near and far", () => {
    const sizes = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 3 }),
    );
    const pair = sizes.chain(([m, k, n]) =>
      fc.tuple(
        fc.array(spread, { minLength: m * k, maxLength: m * k }),
        fc.array(spread, { minLength: k * n, maxLength: k * n }),
        fc.constant([m, k, n] as const),
      ),
    );
    fc.assert(
      fc.property(pair, ([left, right, [m, k, n]]) => {
        const a = fromValues(Float32Array.from(left), { shape: [m, k] });
        const b = fromValues(Float32Array.from(right), { shape: [k, n] });
        const exact = matmulExact(a, b);
        expect(limbsOf(exactProduct(a, b))).toBe(limbsOf(exact));
        expect(roundedProduct(a, b).digest()).toBe(exact.round("f32").digest());
        expect(roundOpen(exactProduct(a, b), "f32").digest()).toBe(exact.round("f32").digest());
      }),
      { numRuns: 200 },
    );
  });

  it("has them for long sums of large products, up to the widest spread that has grids", () => {
    let withGrids = 0;
    for (let bits = 0; bits <= 100; bits += 4) {
      const [large, small, other] = [1, 2, 3].map((seed) => rand([512], { seed: seed + bits }));
      // All positive and just below a power of two: sums use every bit there is room for.
      const left = Float32Array.from({ length: 512 }, (_, at) =>
        at % 2 === 0 ? 2 - 0.01 * (large?.at(at) ?? 0) : (2 - (small?.at(at) ?? 0)) * 2 ** -bits,
      );
      const right = Float32Array.from({ length: 512 }, (_, at) => 2 - 0.01 * (other?.at(at) ?? 0));
      if (gridsFor(Float64Array.from(left), Float64Array.from(right), 512)) withGrids++;
      const a = fromValues(left, { shape: [1, 512] });
      const b = fromValues(right, { shape: [512, 1] });
      expect(limbsOf(exactProduct(a, b)), `${bits} bits apart`).toBe(limbsOf(matmulExact(a, b)));
    }
    expect(withGrids).toBeGreaterThan(5);
    expect(withGrids).toBeLessThan(26);
  });

  it.each<DType>(["f32", "bf16", "f16", "e4m3", "f64"])("has them in %s too", (dtype) => {
    const [a, b] = [randn([9, 33], { seed: 1, dtype }), randn([33, 7], { seed: 2, dtype })];
    expect(limbsOf(exactProduct(a, b))).toBe(limbsOf(matmulExact(a, b)));
  });

  it("has them for batches, transposed factors, zeros and nothing at all", () => {
    const [a, b] = [randn([2, 3, 5], { seed: 1 }), randn([4, 5], { seed: 2 }).transpose()];
    expect(limbsOf(exactProduct(a, b))).toBe(limbsOf(matmulExact(a, b)));
    const pair = [randn([2, 3, 5], { seed: 3 }), randn([2, 5, 2], { seed: 4 })] as const;
    expect(limbsOf(exactProduct(...pair))).toBe(limbsOf(matmulExact(...pair)));
    expect(roundedProduct(zeros([2, 3]), zeros([3, 2])).toArray()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(exactProduct(zeros([0, 3]), zeros([3, 2])).shape).toEqual([0, 2]);
  });

  it.each([Number.POSITIVE_INFINITY, Number.NaN])("carries %s along", (odd) => {
    const a = fromValues([[1, odd]]);
    const b = fromValues([[1], [2]]);
    expect(roundedProduct(a, b).item()).toBe(odd);
    expect(roundOpen(exactProduct(a, b), "f32").item()).toBe(odd);
  });

  it("takes grids for usual values, and none for those too far apart", () => {
    expect(gridsFor(Float64Array.of(1, 2 ** -40), Float64Array.of(1), 100)).toBeDefined();
    expect(gridsFor(Float64Array.of(1, 2 ** -149), Float64Array.of(1), 100)).toBeUndefined();
    expect(gridsFor(Float64Array.of(Number.NaN), Float64Array.of(1), 1)).toBeUndefined();
  });
});

describe("sums that are not carried yet", () => {
  const parts = Array.from({ length: 9 }, (_, seed) => randn([40, 3], { seed }));

  it("add up to the exact sum, in every format it is rounded to", () => {
    const open = parts.map((part) => openSumOf(exactSum(part, { dims: 0 }))).reduce(addOpen);
    const exact = parts
      .map((part) => exactSum(part, { dims: 0 }))
      .reduce((one, other) => one.plus(other));
    for (const dtype of ["f32", "f64", "bf16", "f16"] as const) {
      expect(roundOpen(open, dtype).digest()).toBe(exact.round(dtype).digest());
    }
  });

  it("of other sizes are refused", () => {
    const [one, other] = [
      exactProduct(zeros([1, 2]), zeros([2, 1])),
      exactProduct(zeros([1, 2]), zeros([2, 2])),
    ];
    expect(() => addOpen(one, other)).toThrow(/same kind/);
  });

  it.each([
    ["a fraction", 0.25, (value: number) => Number.isFinite(value)],
    ["infinity", Infinity, Number.isNaN],
    ["no number", Number.NaN, Number.isNaN],
  ])(
    "with %s where a limb was, as a wrong device sends it, are rounded all the same",
    (_, odd, is) => {
      const sum = exactProduct(randn([1, 4], { seed: 1 }), randn([4, 1], { seed: 2 }));
      const raw = Float64Array.from(sum.limbs.toRaw());
      raw[3] = odd;
      const limbs = fromValues(raw, { dtype: "f64", shape: sum.limbs.shape });
      for (const dtype of ["f32", "f64"] as const) {
        expect(is(roundOpen({ ...sum, limbs }, dtype).item())).toBe(true);
      }
    },
  );
});
