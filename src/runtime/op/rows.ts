import * as onGpu from "../cuda/ops/index.ts";
import type { CudaTensor } from "../cuda/tensor/index.ts";
import type { DistTensor } from "../dist/array/index.ts";
import type { Tensor } from "../tensor/index.ts";
import type { AlongOptions } from "../tensor/ops/index.ts";
import * as ops from "../tensor/ops/index.ts";
import { dispatch, type Plan } from "./dispatch.ts";
import { layoutError, type Operand } from "./operand.ts";
import { refusePartial, unaryPlan } from "./rules/unary.ts";

// Exponential or square, sum, and division, for each element.
const flopsPerElement = 5;

/**
 * exp(x) over its sum along a dimension, which must not be split.
 *
 * @throws E_SHAPE, E_DTYPE; E_LAYOUT_OP; E_DESYNC, E_DEVICE_LOST.
 */
export function softmax<T extends Operand>(x: T, options: AlongOptions = {}): T {
  return alongRows(x, { op: "softmax", options, compute: ops.softmax, cuda: onGpu.softmax });
}

/** The logarithm of `softmax`. @throws as softmax */
export function logSoftmax<T extends Operand>(x: T, options: AlongOptions = {}): T {
  return alongRows(x, {
    op: "logSoftmax",
    options,
    compute: ops.logSoftmax,
    cuda: onGpu.logSoftmax,
  });
}

/** Gain and bias of a norm: on the same devices as its input, and replicated there. */
export interface NormOperands {
  readonly gain: Operand;
  readonly bias?: Operand;
  /** Default: 1e-5. */
  readonly epsilon?: number;
}

/**
 * (x - mean) / sqrt(variance + epsilon) times the gain, plus the bias, along the last dimension,
 * which must not be split.
 *
 * @throws E_SHAPE, E_DTYPE; E_LAYOUT_OP; E_DESYNC, E_DEVICE_LOST.
 */
export function layerNorm<T extends Operand>(x: T, params: NormOperands): T {
  return norm(x, params, { op: "layerNorm", compute: ops.layerNorm, cuda: onGpu.layerNorm });
}

/** x / sqrt(mean of squares + epsilon) times the gain, plus the bias. @throws as layerNorm */
export function rmsNorm<T extends Operand>(x: T, params: NormOperands): T {
  return norm(x, params, { op: "rmsNorm", compute: ops.rmsNorm, cuda: onGpu.rmsNorm });
}

interface AlongRows {
  readonly op: string;
  readonly options: AlongOptions;
  readonly compute: (x: Tensor, options: AlongOptions) => Tensor;
  readonly cuda: (x: CudaTensor, options: AlongOptions) => CudaTensor;
}

function alongRows<T extends Operand>(x: T, { op, options, compute, cuda }: AlongRows): T {
  const { dim = -1 } = options;
  const whole = [dim < 0 ? dim + x.shape.length : dim];
  return dispatch({
    op,
    operands: [x],
    compute: ([local]) => compute(local as Tensor, options),
    cuda: ([local]) => cuda(local as CudaTensor, options),
    flops: (_, out) => flopsPerElement * out.size,
    plan: ([input]) => unaryPlan(input as DistTensor, { op, whole }),
  }) as T;
}

interface Norm {
  readonly op: string;
  readonly compute: typeof ops.layerNorm;
  readonly cuda: typeof onGpu.layerNorm;
}

function norm<T extends Operand>(x: T, params: NormOperands, { op, compute, cuda }: Norm): T {
  const { gain, bias, epsilon } = params;
  return dispatch({
    op,
    operands: bias === undefined ? [x, gain] : [x, gain, bias],
    compute: ([local, localGain, localBias]) =>
      compute(local as Tensor, {
        gain: localGain as Tensor,
        ...(localBias === undefined ? {} : { bias: localBias }),
        ...(epsilon === undefined ? {} : { epsilon }),
      }),
    cuda: ([local, localGain, localBias]) =>
      cuda(local as CudaTensor, { gain: localGain as CudaTensor, bias: localBias, epsilon }),
    flops: (_, out) => flopsPerElement * out.size,
    plan: (inputs) => normPlan(inputs, op),
  }) as T;
}

function normPlan(inputs: readonly DistTensor[], op: string): Plan {
  const [x, ...params] = inputs as [DistTensor, ...DistTensor[]];
  for (const { layout } of params) {
    if (layout.axesWith("replicate").length === layout.placements.length) continue;
    throw layoutError(
      op,
      `gain or bias lie as ${layout.describe()}`,
      "Replicate them: x.redistribute({ layout: dist.replicate() }).",
    );
  }
  refusePartial(x, { op });
  const { placements } = unaryPlan(x, { op, whole: [x.shape.length - 1] });
  return { inputs, placements };
}
