import { philoxKeyOf, type RandomSpec } from "../../tensor/random/index.ts";
import { createKernels } from "../kernels/create-kernels.ts";
import { gridFor, launchKernel } from "../kernels/launch.ts";
import { clear, type OnStream } from "./cuda-array.ts";
import type { CudaDType } from "./cuda-dtype.ts";
import { CudaTensor } from "./cuda-tensor.ts";
import { type DeviceChoice, deviceOf } from "./device-of.ts";

/** Where and in which format a tensor is made. */
export interface CudaCreateOptions extends OnStream {
  readonly device: DeviceChoice;
  /** @default "f32" */
  readonly dtype?: CudaDType | undefined;
}

/** Where random values come from; see `RandomSpec`. */
export interface CudaRandomOptions extends CudaCreateOptions {
  readonly spec: RandomSpec;
}

/** A tensor with this value, rounded once to the dtype, in every element. @throws E_CUDA, E_SHAPE */
export function full(
  shape: readonly number[],
  value: number,
  options: CudaCreateOptions,
): CudaTensor {
  const { dtype = "f32" } = options;
  const device = deviceOf(options.device);
  const { stream = device.stream } = options;
  const out = CudaTensor.allocate(device, { dtype, shape });
  if (Object.is(value, 0)) {
    clear({ buffer: out.buffer }, Math.max(out.bytes, 1), stream);
    return out;
  }
  const perThread = out.size === 0 ? 1 : (16 * out.size) / out.bytes;
  launchKernel(device, {
    source: createKernels.source({ T: dtype }),
    kernel: "fill_constant",
    grid: gridFor(device, { items: out.size, perThread }),
    block: 256,
    args: [{ ptr: out.buffer }, { i64: out.size }, { f64: value }],
    stream,
  });
  return out;
}

/**
 * Random values of a spec, made on the GPU with the bits of the host: element i in row-major order
 * is value i.
 *
 * @throws E_CUDA, E_SHAPE
 */
export function random(shape: readonly number[], options: CudaRandomOptions): CudaTensor {
  const { dtype = "f32", spec, stream } = options;
  const device = deviceOf(options.device);
  const out = CudaTensor.allocate(device, { dtype, shape });
  const { key, counterHigh } = philoxKeyOf(spec);
  launchKernel(device, {
    source: createKernels.source({ T: dtype }),
    kernel: `random_${spec.kind}`,
    grid: gridFor(device, { items: out.size, perThread: 4 }),
    block: 256,
    args: [
      { ptr: out.buffer },
      { i64: out.size },
      ...[...key, ...counterHigh].map((word) => ({ u32: word >>> 0 })),
    ],
    stream,
  });
  return out;
}
