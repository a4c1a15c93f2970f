import { type DType, decodeInto, type RawArray } from "../../dtype/index.ts";
import {
  additionsBeforeCarry,
  addToLimbs,
  carryLimbs,
  productLayoutOf,
  type SumLayout,
} from "../../fixed-point/index.ts";
import { sizeOf } from "../../shape.ts";
import type { Tensor } from "../../tensor.ts";
import { type MatmulPlan, planMatmul } from "../matmul-plan.ts";
import { addProduct } from "./add-product.ts";
import { doubleAt, ExactTensor, encoded } from "./exact-tensor.ts";
import { addFastProducts, type Factors, fastFactors, sumFastProducts } from "./fast-product.ts";

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
  const { dtype } = a;
  const factors = factorsOf(a, b);
  const { shape } = factors.plan;
  const layout = productLayoutOf(dtype);
  const limbs = new Float64Array(sizeOf(shape) * layout.width);
  const fast = dtype === "f64" ? undefined : fastFactors(factors);
  if (fast === undefined) addProducts(factors, { dtype, layout, limbs });
  else addFastProducts(fast, { limbs, layout });
  return ExactTensor.over(limbs, { dtype, shape });
}

/** `matmulExact` rounded once, where nothing is to be added to it: no more than one sum is in limbs. */
export function matmulRounded(a: Tensor, b: Tensor, dtype: DType): Tensor {
  const factors = factorsOf(a, b);
  const fast = a.dtype === "f64" ? undefined : fastFactors(factors);
  if (fast === undefined) return matmulExact(a, b).round(dtype);
  const { shape } = factors.plan;
  const layout = productLayoutOf(a.dtype);
  const values = new Float64Array(sizeOf(shape));
  const limbs = new Float64Array(layout.width);
  sumFastProducts(fast, (element, high, middle, low) => {
    limbs.fill(0);
    addToLimbs(limbs, 0, layout, high);
    addToLimbs(limbs, 0, layout, middle);
    addToLimbs(limbs, 0, layout, low);
    values[element] = doubleAt(limbs, 0, layout, dtype);
  });
  return encoded(values, { dtype, shape });
}

function factorsOf(a: Tensor, b: Tensor): Factors & { readonly plan: MatmulPlan } {
  const plan = planMatmul("matmul", a, b);
  return { plan, left: numbersOf(plan.a, a.dtype), right: numbersOf(plan.b, a.dtype) };
}

/** Product by product, for values of any size. */
function addProducts(
  { plan, left, right }: Factors,
  o: { readonly dtype: DType; readonly layout: SumLayout; readonly limbs: Float64Array },
): void {
  const { batches, m, k, n } = plan;
  const { dtype, layout, limbs } = o;
  const sumOf = dtype === "f64" ? sumOfSplitProducts : sumOfProducts;
  for (let batch = 0; batch < batches; batch++) {
    for (let row = 0; row < m; row++) {
      for (let column = 0; column < n; column++) {
        const base = ((batch * m + row) * n + column) * layout.width;
        const aStart = (batch * m + row) * k;
        const bStart = batch * k * n + column;
        sumOf({ left, right, limbs, layout, base, aStart, bStart, k, n });
        // A fresh sum has small limbs.
        carryLimbs(limbs, base, layout.limbs);
      }
    }
  }
}

interface DotProduct {
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly limbs: Float64Array;
  readonly layout: SumLayout;
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
    if ((i + 1) % additionsBeforeCarry === 0) carryLimbs(limbs, base, layout.limbs);
  }
}

function sumOfSplitProducts(dot: DotProduct): void {
  const { left, right, limbs, layout, base, aStart, bStart, k, n } = dot;
  for (let i = 0; i < k; i++) {
    const factors = [left[aStart + i] as number, right[bStart + i * n] as number] as const;
    addProduct(limbs, base, layout, factors);
    // A product is two additions.
    if ((i + 1) % (additionsBeforeCarry / 2) === 0) carryLimbs(limbs, base, layout.limbs);
  }
}

function numbersOf(raw: RawArray, dtype: DType): Float64Array {
  const values = new Float64Array(raw.length);
  decodeInto(dtype, raw, 0, raw.length, values);
  return values;
}
