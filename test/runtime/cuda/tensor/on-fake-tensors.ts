import type { CudaDevice } from "../../../../src/runtime/cuda/index.ts";
import * as onGpu from "../../../../src/runtime/cuda/ops/index.ts";
import { type CudaTensor, toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import {
  type DType,
  fromValues,
  ops,
  type RandomSpec,
  random,
  type Tensor,
} from "../../../../src/runtime/tensor/index.ts";

/** Operations by their names, on the host and on a GPU. */
export const hostOps = { ...ops };
export const gpuOps = { ...onGpu };

/** Random values on the host, the same in every run. */
export function hostRandom(
  shape: readonly number[],
  {
    seed = 1,
    dtype = "f32",
    kind = "normal",
  }: { readonly seed?: number; readonly dtype?: DType; readonly kind?: RandomSpec["kind"] } = {},
): Tensor {
  return random(shape, { spec: { kind, seed }, dtype });
}

/** Whole numbers from -range to range: sums of their products are exact in every order. */
export function hostWhole(
  shape: readonly number[],
  { seed = 1, dtype = "f32", range = 3 }: { seed?: number; dtype?: DType; range?: number } = {},
): Tensor {
  const values = random(shape, { spec: { kind: "uniform", seed }, dtype: "f64" }).toNumbers();
  const whole = values.map((value) => Math.floor(value * (2 * range + 1)) - range);
  return fromValues(whole, { dtype, shape });
}

/** The largest difference, each as a share of the larger of the host's value and `floor`. */
export function differenceOf(x: CudaTensor, host: Tensor, floor = 1): number {
  if (x.shape.join() !== host.shape.join()) return Number.POSITIVE_INFINITY;
  const a = x.toHost().toNumbers();
  const b = host.toNumbers();
  let largest = 0;
  for (const [at, value] of b.entries()) {
    const found = a[at] as number;
    if (Object.is(found, value)) continue;
    const share = Math.abs(found - value) / Math.max(floor, Math.abs(value));
    if (!(share <= largest)) largest = share;
  }
  return largest;
}

/** Brings tensors to a GPU. */
export function uploader(device: CudaDevice): (tensor: Tensor) => CudaTensor {
  return (tensor) => toDevice(tensor, device);
}
