import type { DistTensor } from "../dist/array/index.ts";
import type { Tensor } from "../tensor/index.ts";
import { type MatmulOptions, matmul as matmulOf } from "../tensor/ops/index.ts";
import { dispatch } from "./dispatch.ts";
import type { Operand } from "./operand.ts";
import { matmulPlan } from "./rules/matmul.ts";

/**
 * The product of matrices, [..., m, k] by [..., k, n], as `tensor` computes it. On devices, each
 * multiplies what it holds: rows of `a` split give rows of the result, columns of `b` its columns;
 * both split along k give partial sums, for `op.reducePartial` or `op.reduceScatter`.
 *
 * @throws E_SHAPE, E_DTYPE; E_LAYOUT_OP where bytes would have to move; E_DESYNC, E_DEVICE_LOST.
 */
export function matmul(a: Tensor, b: Tensor, options?: MatmulOptions): Tensor;
export function matmul(a: DistTensor, b: Operand, options?: MatmulOptions): DistTensor;
export function matmul(a: Operand, b: DistTensor, options?: MatmulOptions): DistTensor;
export function matmul(a: Operand, b: Operand, options: MatmulOptions = {}): Operand {
  return dispatch({
    op: "matmul",
    operands: [a, b],
    compute: ([one, other]) => matmulOf(one as Tensor, other as Tensor, options),
    flops: ([one], out) => 2 * out.size * (one?.shape.at(-1) ?? 0),
    plan: (inputs) => matmulPlan(inputs as [DistTensor, DistTensor], "matmul"),
  });
}
