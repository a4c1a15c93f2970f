import {
  additionsBeforeCarry,
  addToLimbs,
  carryLimbs,
  productLayoutOf,
  type SumLayout,
} from "../../fixed-point/index.ts";
import { shapeError } from "../../shape.ts";
import type { Tensor } from "../../tensor.ts";
import { resolveDim } from "../../view.ts";
import { requireFloat } from "../operands.ts";
import { ExactTensor } from "./exact-tensor.ts";
import { addFastProducts, fastFactors } from "./fast-product.ts";

/**
 * The exact sum of floats along dimensions, not yet rounded, so that sums over parts of a tensor
 * can be added to that over the whole. Throws E_DTYPE for integers, E_SHAPE for dimensions that are
 * not there.
 */
export function exactSum(
  x: Tensor,
  { dims }: { readonly dims: number | readonly number[] },
): ExactTensor {
  requireFloat("exactSum", x);
  const reduced = new Set([dims].flat().map((dim) => resolveDim("exactSum", dim, x.shape.length)));
  if (reduced.size === 0) throw shapeError("exactSum", "there is no dimension to sum over");
  const left = [...x.shape.keys()].filter((dim) => !reduced.has(dim));
  const shape = left.map((dim) => x.shape[dim] as number);
  const results = shape.reduce((a, b) => a * b, 1);
  const values = x.permute([...left, ...reduced]).toNumbers();
  const count = results === 0 ? 0 : values.length / results;
  const layout = productLayoutOf(x.dtype);
  const limbs = new Float64Array(results * layout.width);
  // Sums are products with ones.
  const plan = { batches: 1, m: results, k: count, n: 1 };
  const ones = new Float64Array(count).fill(1);
  const fast = x.dtype === "f64" ? undefined : fastFactors({ plan, left: values, right: ones });
  if (fast === undefined) addValues(values, { count, limbs, layout });
  else addFastProducts(fast, { limbs, layout });
  return ExactTensor.over(limbs, { dtype: x.dtype, shape });
}

/** Value by value, of any size; `count` of them make one sum. */
function addValues(
  values: Float64Array,
  o: { readonly count: number; readonly limbs: Float64Array; readonly layout: SumLayout },
): void {
  const { count, limbs, layout } = o;
  for (let base = 0, at = 0; at < values.length; base += layout.width) {
    for (let i = 0; i < count; i++, at++) {
      addToLimbs(limbs, base, layout, values[at] as number);
      if ((i + 1) % additionsBeforeCarry === 0) carryLimbs(limbs, base, layout.limbs);
    }
    // A fresh sum has small limbs.
    carryLimbs(limbs, base, layout.limbs);
  }
}
