/**
 * Tensors as values: number formats with true rounding, views without copies, random numbers that
 * depend on seed and index alone, digests, and the operations on them. Bits are the same on every
 * machine and every Node version.
 */
export { CudaTensor, type DeviceChoice, fromBytes, toDevice } from "../cuda/tensor/index.ts";
export {
  type CreateOptions,
  fromValues,
  full,
  type OnDevice,
  ones,
  type RandOptions,
  type RandomOptions,
  rand,
  randn,
  random,
  type TensorValues,
  type ValuesOptions,
  zeros,
} from "./create.ts";
export { type DigestSource, digestOf } from "./digest/index.ts";
export {
  type DType,
  type DTypeInfo,
  dtypeInfo,
  dtypes,
  parseDType,
  roundTo,
} from "./dtype/index.ts";
export type { NestedNumbers } from "./nested-numbers.ts";
export * as nn from "./nn/index.ts";
export * as ops from "./ops/index.ts";
export type { RandomSpec } from "./random/index.ts";
export { sizeOf } from "./shape.ts";
export { type ConvertOptions, type OverOptions, Tensor } from "./tensor.ts";
export type { Range } from "./view.ts";
