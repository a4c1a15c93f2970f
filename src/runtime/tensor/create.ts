import type { CudaTensor, DeviceChoice } from "../cuda/tensor/index.ts";
import { fullOnCuda, randomOnCuda, toDevice } from "../cuda/tensor/index.ts";
import {
  allocateRaw,
  bitsOf,
  type DType,
  encodeInto,
  parseDType,
  type RawArray,
} from "./dtype/index.ts";
import { assertFits } from "./fits.ts";
import { flatten, type NestedNumbers } from "./nested-numbers.ts";
import { fillRandom, type RandomSpec } from "./random/index.ts";
import { formatShape, shapeError, sizeOf } from "./shape.ts";
import { Tensor } from "./tensor.ts";

export interface CreateOptions {
  /** Default `f32`; a name that `parseDType` knows. */
  readonly dtype?: DType;
}

/** With this option a tensor is made on a GPU, with the bits it would have on the host. */
export interface OnDevice {
  /** `cuda:0`, or a device that is open. */
  readonly device: DeviceChoice;
}

/** Which random numbers; the same seed and stream give the same values for ever. */
export interface RandOptions extends CreateOptions {
  /** A number and its text are the same seed. Default 0. */
  readonly seed?: string | number;
  /** Different streams of a seed are unrelated. Default 0. */
  readonly stream?: string | number;
}

export interface RandomOptions extends CreateOptions {
  readonly spec: RandomSpec;
}

export interface ValuesOptions extends CreateOptions {
  /** Default the shape of the nested lists, or one dimension for a typed array. */
  readonly shape?: readonly number[];
}

/** Numbers to make a tensor of, in row-major order when they are a typed array. */
export type TensorValues =
  | NestedNumbers
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

/** A tensor of zeros. @throws E_CUDA, E_CUDA_UNAVAILABLE with a device */
export function zeros(shape: readonly number[], options: CreateOptions & OnDevice): CudaTensor;
export function zeros(shape: readonly number[], options?: CreateOptions): Tensor;
export function zeros(
  shape: readonly number[],
  options: CreateOptions & Partial<OnDevice> = {},
): Tensor | CudaTensor {
  const dtype = parseDType(options.dtype ?? "f32");
  if (options.device !== undefined) return fullOnCuda(shape, 0, { device: options.device, dtype });
  return Tensor.over(allocate("zeros", shape, dtype), { dtype, shape });
}

/** A tensor of ones. @throws E_CUDA, E_CUDA_UNAVAILABLE with a device */
export function ones(shape: readonly number[], options: CreateOptions & OnDevice): CudaTensor;
export function ones(shape: readonly number[], options?: CreateOptions): Tensor;
export function ones(
  shape: readonly number[],
  options: CreateOptions & Partial<OnDevice> = {},
): Tensor | CudaTensor {
  return full(shape, 1, options as CreateOptions);
}

/**
 * A tensor with this value, rounded once to the dtype, in every element.
 *
 * @throws E_DTYPE for what an integer dtype cannot hold; E_CUDA, E_CUDA_UNAVAILABLE with a device
 */
export function full(
  shape: readonly number[],
  value: number,
  options: CreateOptions & OnDevice,
): CudaTensor;
export function full(shape: readonly number[], value: number, options?: CreateOptions): Tensor;
export function full(
  shape: readonly number[],
  value: number,
  options: CreateOptions & Partial<OnDevice> = {},
): Tensor | CudaTensor {
  const dtype = parseDType(options.dtype ?? "f32");
  // Through the stored bits of one element: `fill` with a number could change those of a NaN.
  const one = bitsOf(fromValues(value, { dtype }).raw);
  const { device } = options;
  if (device !== undefined) return fullOnCuda(shape, value, { device, dtype });
  const raw = allocate("full", shape, dtype);
  const bits = bitsOf(raw);
  if (one.length === 1) bits.fill(one[0] as number);
  else for (let at = 0; at < bits.length; at++) bits[at] = one[at % 2] as number;
  return Tensor.over(raw, { dtype, shape });
}

/** Uniform random values in [0, 1). @throws E_CUDA, E_CUDA_UNAVAILABLE with a device */
export function rand(shape: readonly number[], options: RandOptions & OnDevice): CudaTensor;
export function rand(shape: readonly number[], options?: RandOptions): Tensor;
export function rand(
  shape: readonly number[],
  options: RandOptions & Partial<OnDevice> = {},
): Tensor | CudaTensor {
  const { seed = 0, stream = 0, ...rest } = options;
  return random(shape, { ...rest, spec: { kind: "uniform", seed, stream } });
}

/**
 * Normal random values with mean 0 and standard deviation 1.
 *
 * @throws E_CUDA, E_CUDA_UNAVAILABLE with a device
 */
export function randn(shape: readonly number[], options: RandOptions & OnDevice): CudaTensor;
export function randn(shape: readonly number[], options?: RandOptions): Tensor;
export function randn(
  shape: readonly number[],
  options: RandOptions & Partial<OnDevice> = {},
): Tensor | CudaTensor {
  const { seed = 0, stream = 0, ...rest } = options;
  return random(shape, { ...rest, spec: { kind: "normal", seed, stream } });
}

/**
 * Random values of a spec: element i in row-major order is value i.
 *
 * @throws E_CUDA, E_CUDA_UNAVAILABLE with a device
 */
export function random(shape: readonly number[], options: RandomOptions & OnDevice): CudaTensor;
export function random(shape: readonly number[], options: RandomOptions): Tensor;
export function random(
  shape: readonly number[],
  options: RandomOptions & Partial<OnDevice>,
): Tensor | CudaTensor {
  const { spec, device } = options;
  const dtype = parseDType(options.dtype ?? "f32");
  if (device !== undefined) return randomOnCuda(shape, { spec, device, dtype });
  const raw = allocate("random", shape, dtype);
  fillRandom(spec, dtype, 0, raw.length, raw);
  return Tensor.over(raw, { dtype, shape });
}

/**
 * A tensor of the user's numbers, each rounded once to the dtype. Throws E_SHAPE for ragged lists
 * and for a shape of another size, E_DTYPE for what an integer dtype cannot hold; E_CUDA and
 * E_CUDA_UNAVAILABLE with a device.
 */
export function fromValues(given: TensorValues, options: ValuesOptions & OnDevice): CudaTensor;
export function fromValues(given: TensorValues, options?: ValuesOptions): Tensor;
export function fromValues(
  given: TensorValues,
  options: ValuesOptions & Partial<OnDevice> = {},
): Tensor | CudaTensor {
  const dtype = parseDType(options.dtype ?? "f32");
  const { shape: own, values } = ArrayBuffer.isView(given)
    ? { shape: [given.length], values: Float64Array.from(given) }
    : flatten("fromValues", given);
  const shape = options.shape ?? own;
  if (sizeOf(shape, "fromValues") !== values.length) {
    throw shapeError("fromValues", `${values.length} values do not fill ${formatShape(shape)}`);
  }
  assertFits("fromValues", dtype, values, { whole: true });
  const raw = allocateRaw(dtype, values.length);
  encodeInto(dtype, values, 0, values.length, raw);
  const made = Tensor.over(raw, { dtype, shape });
  return options.device === undefined ? made : toDevice(made, options.device);
}

function allocate(operation: string, shape: readonly number[], dtype: DType): RawArray {
  return allocateRaw(dtype, sizeOf(shape, operation));
}
