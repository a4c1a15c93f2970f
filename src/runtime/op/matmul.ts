import { type CudaMatmulOptions, matmul as matmulOnGpu } from "../cuda/ops/index.ts";
import type { CudaTensor } from "../cuda/tensor/index.ts";
import type { DistTensor } from "../dist/array/index.ts";
import type { Tensor } from "../tensor/index.ts";
import { type MatmulOptions, matmul as matmulOf } from "../tensor/ops/index.ts";
import { redundantMatmul } from "../verify/redundant/redundant-matmul.ts";
import { dispatch } from "./dispatch.ts";
import type { Operand } from "./operand.ts";
import { matmulPlan } from "./rules/matmul.ts";

/** A product that is to be compared with one that was made before. */
export interface RedundantOption {
  /**
   * Computes it elsewhere, in the same order: on a mesh each part by the next device, on a GPU by
   * another one of its model, on the host by another engine; where there is no other, once more in the
   * same place. On healthy devices it has the bits of the plain product, which `verify.equal` tells;
   * `verify.redundancyOf(result)` says where it was computed. @default false
   */
  readonly redundant?: boolean;
}

/**
 * The product of matrices, [..., m, k] by [..., k, n], as `tensor` computes it. On devices, each
 * multiplies what it holds: rows of `a` split give rows of the result, columns of `b` its columns;
 * both split along k give partial sums, for `op.reducePartial` or `op.reduceScatter`. On a GPU,
 * cuBLASLt multiplies, with sums in its own order; see `CudaMatmulOptions`.
 *
 * @throws E_SHAPE, E_DTYPE; E_LAYOUT_OP where bytes would have to move; E_DESYNC, E_DEVICE_LOST;
 * E_CUDA; E_PARTITION where a redundant product finds no other device.
 */
export function matmul(a: Tensor, b: Tensor, options?: MatmulOptions & RedundantOption): Tensor;
export function matmul(
  a: CudaTensor,
  b: CudaTensor,
  options?: CudaMatmulOptions & RedundantOption,
): CudaTensor;
export function matmul(
  a: DistTensor,
  b: Operand,
  options?: MatmulOptions & RedundantOption,
): DistTensor;
export function matmul(
  a: Operand,
  b: DistTensor,
  options?: MatmulOptions & RedundantOption,
): DistTensor;
export function matmul(
  a: Operand,
  b: Operand,
  { redundant = false, ...options }: (MatmulOptions | CudaMatmulOptions) & RedundantOption = {},
): Operand {
  if (redundant) return redundantMatmul(a, b, options);
  return dispatch({
    op: "matmul",
    operands: [a, b],
    compute: ([one, other]) => matmulOf(one as Tensor, other as Tensor, options as MatmulOptions),
    cuda: ([one, other]) =>
      matmulOnGpu(one as CudaTensor, other as CudaTensor, options as CudaMatmulOptions),
    flops: ([one], out) => 2 * out.size * (one?.shape.at(-1) ?? 0),
    plan: (inputs) => matmulPlan(inputs as [DistTensor, DistTensor], "matmul"),
  });
}
