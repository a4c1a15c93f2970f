import { describe, expect, it } from "vitest";
import { fromValues, randn, zeros } from "../../../../../src/runtime/tensor/create.ts";
import {
  add,
  ExactTensor,
  exactSum,
  matmulExact,
} from "../../../../../src/runtime/tensor/ops/index.ts";

describe("limbs that are not carried yet", () => {
  const parts = Array.from({ length: 9 }, (_, seed) =>
    matmulExact(randn([2, 40], { seed }), randn([40, 3], { seed: seed + 100 })),
  );

  it("add up to the exact sum, in every format it is rounded to", () => {
    const open = ExactTensor.fromLimbs(parts.map(({ openLimbs }) => openLimbs).reduce(add), {
      dtype: "f32",
    });
    const exact = ExactTensor.fromLimbs(parts.map(({ limbs }) => limbs).reduce(add), {
      dtype: "f32",
    });
    expect(open.limbs.digest()).toBe(exact.limbs.digest());
    for (const dtype of ["f32", "f64", "bf16", "f16"] as const) {
      expect(open.round(dtype).digest()).toBe(exact.round(dtype).digest());
    }
  });

  it("are others for the same sum, where normal limbs are the same", () => {
    // Twice the half is carried into the limb that the whole begins in.
    const [half, whole] = [3 * 2 ** 20, 3 * 2 ** 21].map((value) =>
      exactSum(fromValues([value]), { dims: 0 }),
    ) as [ExactTensor, ExactTensor];
    const sum = half.plus(half);
    expect(sum.limbs.digest()).toBe(whole.limbs.digest());
    expect(sum.openLimbs.digest()).not.toBe(whole.openLimbs.digest());
  });

  it("are carried before they outgrow a double, however often a sum is doubled", () => {
    const times = (a: number, b: number) => matmulExact(fromValues([[a]]), fromValues([[b]]));
    const unit = times(2 ** -133, 2 ** -133);
    let sum = unit;
    for (let bits = 1; bits < 60; bits++) sum = sum.plus(sum).plus(unit);
    const left = sum.plus(times(-(2 ** -103), 2 ** -103));
    expect(left.round("f64").item()).toBe(-(2 ** -266));
  });

  it("of other shapes are refused", () => {
    const [one, other] = [
      matmulExact(zeros([1, 2]), zeros([2, 1])),
      matmulExact(zeros([1, 2]), zeros([2, 2])),
    ];
    expect(() => one.plus(other)).toThrow(/not alike/);
  });

  it.each([
    ["a fraction", 0.25, (value: number) => Number.isFinite(value)],
    ["infinity", Infinity, Number.isNaN],
    ["no number", Number.NaN, Number.isNaN],
  ])(
    "with %s where a limb was, as a wrong device sends it, are rounded all the same",
    (_, odd, is) => {
      const sum = matmulExact(randn([1, 4], { seed: 1 }), randn([4, 1], { seed: 2 }));
      const raw = Float64Array.from(sum.limbs.toRaw());
      raw[3] = odd;
      const limbs = fromValues(raw, { dtype: "f64", shape: sum.limbs.shape });
      for (const dtype of ["f32", "f64"] as const) {
        expect(is(ExactTensor.fromLimbs(limbs, { dtype: "f32" }).round(dtype).item())).toBe(true);
      }
    },
  );
});
