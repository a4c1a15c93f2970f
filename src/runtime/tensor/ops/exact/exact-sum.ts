import { shapeError } from "../../shape.ts";
import type { Tensor } from "../../tensor.ts";
import { resolveDim } from "../../view.ts";
import { requireFloat } from "../operands.ts";
import { ExactTensor } from "./exact-tensor.ts";
import { limbLayoutOf } from "./limb-layout.ts";
import { additionsBeforeCarry, addToLimbs, carryLimbs } from "./limbs.ts";

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
  const layout = limbLayoutOf(x.dtype);
  const limbs = new Float64Array(results * layout.width);
  for (let result = 0; result < results; result++) {
    const base = result * layout.width;
    for (let i = 0; i < count; i++) {
      addToLimbs(limbs, base, layout, values[result * count + i] as number);
      if ((i + 1) % additionsBeforeCarry === 0) carryLimbs(limbs, base, layout);
    }
  }
  return ExactTensor.over(limbs, { dtype: x.dtype, shape });
}
