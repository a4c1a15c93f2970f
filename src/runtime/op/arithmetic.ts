import * as onGpu from "../cuda/ops/index.ts";
import type { CudaTensor } from "../cuda/tensor/index.ts";
import type { DistTensor } from "../dist/array/index.ts";
import type { Tensor } from "../tensor/index.ts";
import * as ops from "../tensor/ops/index.ts";
import { dispatch } from "./dispatch.ts";
import type { Operand } from "./operand.ts";
import { binaryPlan, type Linearity } from "./rules/binary.ts";
import { unaryPlan } from "./rules/unary.ts";

/**
 * An operation on two tensors, both on this host, on one GPU, or on devices. On devices, each computes on what it holds; a tensor that is
 * replicated along an axis which splits the other is cut where it is.
 *
 * Throws E_SHAPE, E_DTYPE; E_LAYOUT_OP where bytes would have to move; E_DESYNC, E_DEVICE_LOST;
 * E_CUDA.
 */
export interface BinaryOperation {
  (a: Tensor, b: Tensor): Tensor;
  (a: CudaTensor, b: CudaTensor): CudaTensor;
  (a: DistTensor, b: Operand): DistTensor;
  (a: Operand, b: DistTensor): DistTensor;
}

/** a + b, element by element; dimensions of length 1 repeat. */
export const add: BinaryOperation = binary("add", "sum", { host: ops.add, cuda: onGpu.add });

/** a - b, element by element; dimensions of length 1 repeat. */
export const sub: BinaryOperation = binary("sub", "sum", { host: ops.sub, cuda: onGpu.sub });

/** a * b, element by element; dimensions of length 1 repeat. */
export const mul: BinaryOperation = binary("mul", "product", { host: ops.mul, cuda: onGpu.mul });

/** a / b, element by element; dimensions of length 1 repeat. */
export const div: BinaryOperation = binary("div", "quotient", { host: ops.div, cuda: onGpu.div });

/** The gradient of `relu` at x. */
export const reluBackward: BinaryOperation = binary("reluBackward", "none", {
  host: ops.reluBackward,
  cuda: onGpu.reluBackward,
});

/** The gradient of `gelu` at x. */
export const geluBackward: BinaryOperation = binary("geluBackward", "none", {
  host: ops.geluBackward,
  cuda: onGpu.geluBackward,
});

/** The gradient of `silu` at x. */
export const siluBackward: BinaryOperation = binary("siluBackward", "none", {
  host: ops.siluBackward,
  cuda: onGpu.siluBackward,
});

/** -x. */
export function neg<T extends Operand>(x: T): T {
  return unary(x, { op: "neg", isLinear: true, compute: ops.neg, cuda: onGpu.neg });
}

/** x times a number. */
export function scale<T extends Operand>(x: T, factor: number): T {
  return unary(x, {
    op: "scale",
    isLinear: true,
    compute: (local) => ops.scale(local, factor),
    cuda: (local) => onGpu.scale(local, factor),
  });
}

/** x where it is above 0, else 0. */
export function relu<T extends Operand>(x: T): T {
  return unary(x, { op: "relu", compute: ops.relu, cuda: onGpu.relu });
}

/** x times the normal distribution function of x. */
export function gelu<T extends Operand>(x: T): T {
  return unary(x, { op: "gelu", compute: ops.gelu, cuda: onGpu.gelu });
}

/** x times the logistic function of x. */
export function silu<T extends Operand>(x: T): T {
  return unary(x, { op: "silu", compute: ops.silu, cuda: onGpu.silu });
}

interface Unary {
  readonly op: string;
  readonly isLinear?: boolean;
  readonly compute: (x: Tensor) => Tensor;
  readonly cuda: (x: CudaTensor) => CudaTensor;
}

function unary<T extends Operand>(x: T, { op, isLinear = false, compute, cuda }: Unary): T {
  return dispatch({
    op,
    operands: [x],
    compute: ([local]) => compute(local as Tensor),
    cuda: ([local]) => cuda(local as CudaTensor),
    plan: ([input]) => unaryPlan(input as DistTensor, { op, isLinear }),
  }) as T;
}

function binary(
  op: string,
  linearity: Linearity,
  compute: {
    readonly host: (a: Tensor, b: Tensor) => Tensor;
    readonly cuda: (a: CudaTensor, b: CudaTensor) => CudaTensor;
  },
): BinaryOperation {
  const run = (a: Operand, b: Operand) =>
    dispatch({
      op,
      operands: [a, b],
      compute: ([one, other]) => compute.host(one as Tensor, other as Tensor),
      cuda: ([one, other]) => compute.cuda(one as CudaTensor, other as CudaTensor),
      plan: (inputs) => binaryPlan(inputs as [DistTensor, DistTensor], { op, linearity }),
    });
  return run as BinaryOperation;
}
