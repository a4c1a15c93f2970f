export {
  type CudaCreateOptions,
  type CudaRandomOptions,
  full as fullOnCuda,
  random as randomOnCuda,
} from "./create.ts";
export type { CudaArray, IntoTensor, OnStream } from "./cuda-array.ts";
export { type CudaDType, cudaDtypeBytes } from "./cuda-dtype.ts";
export { CudaTensor, type CudaTensorSpec } from "./cuda-tensor.ts";
export { type DeviceChoice, deviceOf } from "./device-of.ts";
export { type FromBytesOptions, fromBytes, toDevice } from "./to-device.ts";
