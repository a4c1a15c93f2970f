import { wholePower } from "../../tensor/math/whole-power.ts";
import type { AdamWOptions } from "../../tensor/nn/adam-w.ts";
import type { SgdOptions } from "../../tensor/nn/sgd.ts";
import { dtypeError } from "../../tensor/ops/operands.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import { optimizerKernels } from "../kernels/optimizer-kernels.ts";
import { clear, type OnStream } from "../tensor/cuda-array.ts";
import type { CudaDType } from "../tensor/cuda-dtype.ts";
import { CudaTensor } from "../tensor/cuda-tensor.ts";
import { requireCudaFloat, requireCudaShape, requireOneDevice } from "./operands.ts";

/** A parameter and what AdamW remembers of it: f32, or f64 for f64. */
export interface CudaAdamWState {
  readonly values: CudaTensor;
  /** Running mean of the gradient. @default zeros */
  readonly mean?: CudaTensor | undefined;
  /** Running mean of its square. @default zeros */
  readonly square?: CudaTensor | undefined;
}

export interface CudaStepOptions extends OnStream {
  /** Writes over what is given instead of making new tensors. @default false */
  readonly inPlace?: boolean;
}

export interface CudaAdamWOptions extends AdamWOptions, CudaStepOptions {
  /** From 1. */
  readonly step: number;
}

/**
 * One step of AdamW on one parameter, in f64 for each element: the bits of `nn.adamWStep`.
 *
 * @throws E_SHAPE, E_DTYPE; E_CUDA
 */
export function adamWStep(
  state: CudaAdamWState,
  gradient: CudaTensor,
  options: CudaAdamWOptions,
): Required<CudaAdamWState> {
  const { values } = state;
  const { step, learningRate, beta1 = 0.9, beta2 = 0.999 } = options;
  const { epsilon = 1e-8, weightDecay = 0.01, inPlace = false, stream } = options;
  const momentum = checked("adamWStep", { values, gradient, moments: [state.mean, state.square] });
  const { device, size } = values;
  const before = {
    mean: state.mean ?? zerosLike(values, momentum, stream),
    square: state.square ?? zerosLike(values, momentum, stream),
  };
  const next = inPlace ? { values, ...before } : newLike({ values, ...before });
  if (size > 0) {
    launchKernel(device, {
      source: optimizerKernels.source({ T: values.dtype, G: gradient.dtype, M: momentum }),
      kernel: "adamw_step",
      grid: gridFor(device, { items: size }),
      block: 256,
      args: [
        ...[next.values, next.mean, next.square, values, before.mean, before.square, gradient].map(
          ({ buffer }) => ({ ptr: buffer }),
        ),
        { i64: size },
        ...[
          beta1,
          beta2,
          1 - wholePower(beta1, step),
          1 - wholePower(beta2, step),
          learningRate,
          epsilon,
          weightDecay,
        ].map((f64) => ({ f64 })),
      ],
      stream,
    });
  }
  if (!inPlace && state.mean === undefined) before.mean.free();
  if (!inPlace && state.square === undefined) before.square.free();
  return next;
}

/** A parameter and its velocity: f32, or f64 for f64. */
export interface CudaSgdState {
  readonly values: CudaTensor;
  /** @default zeros */
  readonly velocity?: CudaTensor | undefined;
}

/**
 * One step of gradient descent with momentum on one parameter, in f64 for each element: the bits of
 * `nn.sgdStep`.
 *
 * @throws E_SHAPE, E_DTYPE; E_CUDA
 */
export function sgdStep(
  state: CudaSgdState,
  gradient: CudaTensor,
  options: SgdOptions & CudaStepOptions,
): Required<CudaSgdState> {
  const { values } = state;
  const { learningRate, momentum = 0, weightDecay = 0, inPlace = false, stream } = options;
  const dtype = checked("sgdStep", { values, gradient, moments: [state.velocity] });
  const { device, size } = values;
  const velocity = state.velocity ?? zerosLike(values, dtype, stream);
  const next = inPlace ? { values, velocity } : newLike({ values, velocity });
  if (size > 0) {
    launchKernel(device, {
      source: optimizerKernels.source({ T: values.dtype, G: gradient.dtype, M: dtype }),
      kernel: "sgd_step",
      grid: gridFor(device, { items: size }),
      block: 256,
      args: [
        ...[next.values, next.velocity, values, velocity, gradient].map(({ buffer }) => ({
          ptr: buffer,
        })),
        { i64: size },
        ...[learningRate, momentum, weightDecay].map((f64) => ({ f64 })),
      ],
      stream,
    });
  }
  if (!inPlace && state.velocity === undefined) velocity.free();
  return next;
}

/** The format of the moments, which is checked. */
function checked(
  op: string,
  o: {
    readonly values: CudaTensor;
    readonly gradient: CudaTensor;
    readonly moments: readonly (CudaTensor | undefined)[];
  },
): CudaDType {
  const { values, gradient, moments } = o;
  requireCudaFloat(op, values);
  requireCudaFloat(op, gradient);
  requireOneDevice(op, values, gradient, ...moments);
  requireCudaShape(op, gradient, { shape: values.shape, what: "gradient" });
  const dtype = values.dtype === "f64" ? "f64" : "f32";
  for (const one of moments) {
    if (one === undefined) continue;
    requireCudaShape(op, one, { shape: values.shape, what: "moment" });
    if (one.dtype !== dtype) throw dtypeError(op, `moments are ${dtype}, not ${one.dtype}`);
  }
  return dtype;
}

function zerosLike(x: CudaTensor, dtype: CudaDType, stream = x.device.stream): CudaTensor {
  const out = CudaTensor.allocate(x.device, { dtype, shape: x.shape });
  clear({ buffer: out.buffer }, Math.max(out.bytes, 1), stream);
  return out;
}

function newLike<State extends Readonly<Record<string, CudaTensor>>>(state: State): State {
  const made = Object.entries(state).map(([name, { device, dtype, shape }]) => [
    name,
    CudaTensor.allocate(device, { dtype, shape }),
  ]);
  return Object.fromEntries(made) as State;
}
