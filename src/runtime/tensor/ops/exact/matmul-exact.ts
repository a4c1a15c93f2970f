import { type DType, decodeInto, type RawArray } from "../../dtype/index.ts";
import type { Tensor } from "../../tensor.ts";
import { planMatmul } from "../matmul-plan.ts";
import { addProduct } from "./exact-product.ts";
import { ExactTensor } from "./exact-tensor.ts";
import { type LimbLayout, limbLayoutOf } from "./limb-layout.ts";
import { additionsBeforeCarry, addToLimbs, carryLimbs } from "./limbs.ts";

/**
 * The product of matrices with every element an exact sum, not yet rounded: `matmul` with
 * `accumulate: "exact"` before its one rounding. Shapes and errors as `matmul`.
 *
 * A row-parallel layer: each device multiplies its columns of x with its rows of W, the limbs are
 * all-reduced as f64, and everyone rounds:
 *
 * ```ts
 * const part = matmulExact(xShard, wShard);             // on each device
 * const limbs = add(part0.limbs, part1.limbs);          // or any all-reduce(sum)
 * const y = ExactTensor.fromLimbs(limbs, { dtype: "f32" }).round("f32");
 * // has the bits of matmul(x, w, { accumulate: "exact" })
 * ```
 *
 * A weight gradient is the same with the batch as the dimension that is split: Aᵀ dY.
 */
export function matmulExact(a: Tensor, b: Tensor): ExactTensor {
  const plan = planMatmul("matmul", a, b);
  const { batches, m, k, n, shape } = plan;
  const dtype = a.dtype;
  const layout = limbLayoutOf(dtype);
  const left = numbersOf(plan.a, dtype);
  const right = numbersOf(plan.b, dtype);
  const limbs = new Float64Array(batches * m * n * layout.width);
  const sumOf = dtype === "f64" ? sumOfSplitProducts : sumOfProducts;
  for (let batch = 0; batch < batches; batch++) {
    for (let row = 0; row < m; row++) {
      for (let column = 0; column < n; column++) {
        const base = ((batch * m + row) * n + column) * layout.width;
        const aStart = (batch * m + row) * k;
        const bStart = batch * k * n + column;
        sumOf({ left, right, limbs, layout, base, aStart, bStart, k, n });
      }
    }
  }
  return ExactTensor.over(limbs, { dtype, shape });
}

interface DotProduct {
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly limbs: Float64Array;
  readonly layout: LimbLayout;
  readonly base: number;
  readonly aStart: number;
  readonly bStart: number;
  readonly k: number;
  readonly n: number;
}

/** The product of two floats of 24 bits or fewer is exact in a double. */
function sumOfProducts({ left, right, limbs, layout, base, aStart, bStart, k, n }: DotProduct) {
  for (let i = 0; i < k; i++) {
    const product = (left[aStart + i] as number) * (right[bStart + i * n] as number);
    addToLimbs(limbs, base, layout, product);
    if ((i + 1) % additionsBeforeCarry === 0) carryLimbs(limbs, base, layout);
  }
}

function sumOfSplitProducts(dot: DotProduct): void {
  const { left, right, limbs, layout, base, aStart, bStart, k, n } = dot;
  for (let i = 0; i < k; i++) {
    const factors = [left[aStart + i] as number, right[bStart + i * n] as number] as const;
    addProduct(limbs, base, layout, factors);
    // A product is two additions.
    if ((i + 1) % (additionsBeforeCarry / 2) === 0) carryLimbs(limbs, base, layout);
  }
}

function numbersOf(raw: RawArray, dtype: DType): Float64Array {
  const values = new Float64Array(raw.length);
  decodeInto(dtype, raw, 0, raw.length, values);
  return values;
}
