import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRowCheck } from "../../../../src/runtime/stress/cpu/row-check.ts";
import { flipBit } from "../../../../src/runtime/stress/flip-bit.ts";
import { bytesOf } from "../../../../src/runtime/tensor/dtype/index.ts";
import { type DType, ops, rand, Tensor } from "../../../../src/runtime/tensor/index.ts";

const side = 24;
const factors = (dtype: DType) =>
  ["a", "b"].map((stream) => rand([side, side], { dtype, stream })) as [Tensor, Tensor];

function withFlip(product: Tensor, bit: number): Tensor {
  const copy = product.raw.slice();
  flipBit(bytesOf(copy), bit);
  return Tensor.over(copy, product);
}

describe("the check of a product's rows", () => {
  it.each(["f32", "bf16", "f16"] as const)("accepts every product in %s", (dtype) => {
    const [a, b] = factors(dtype);
    const check = createRowCheck(a, b);
    expect(check.check(ops.matmul(a, b))).toEqual([]);
    expect(check.check(ops.matmul(a, b))).toEqual([]);
  });

  it.each(["f32", "bf16", "f16"] as const)(
    "finds any single flipped bit in %s and its row",
    (dtype) => {
      const [a, b] = factors(dtype);
      const check = createRowCheck(a, b);
      const product = ops.matmul(a, b);
      check.check(product);
      const bits = 8 * bytesOf(product.raw).length;
      fc.assert(
        fc.property(fc.integer({ min: 0, max: bits - 1 }), (bit) => {
          const wrong = check.check(withFlip(product, bit));
          expect(wrong.map(({ row }) => row)).toEqual([Math.floor(bit / (bits / side))]);
        }),
      );
    },
  );

  it("finds two elements of a row that changed places", () => {
    const [a, b] = factors("f32");
    const check = createRowCheck(a, b);
    const product = ops.matmul(a, b);
    check.check(product);
    const raw = product.raw.slice();
    [raw[25], raw[26]] = [raw[26] as number, raw[25] as number];
    expect(check.check(Tensor.over(raw, product)).map(({ row }) => row)).toEqual([1]);
  });

  it("does not take a wrong first product for the measure of the others", () => {
    const [a, b] = factors("f32");
    const check = createRowCheck(a, b);
    const product = ops.matmul(a, b);
    expect(check.check(withFlip(product, 30))).toHaveLength(1);
    expect(check.check(product)).toEqual([]);
  });

  it("finds a product with NaN", () => {
    const [a, b] = factors("f32");
    const raw = ops.matmul(a, b).raw.slice();
    raw[0] = Number.NaN;
    const product = Tensor.over(raw, { dtype: "f32", shape: [side, side] });
    expect(createRowCheck(a, b).check(product)).toHaveLength(1);
  });
});
