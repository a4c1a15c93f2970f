export type { CublasFunctions } from "./cublas.ts";
export type { CublasLtFunctions } from "./cublas-lt.ts";
export type { DriverFunctions } from "./driver.ts";
export type { Ffi } from "./ffi.ts";
export type { NcclFunctions } from "./nccl.ts";
export type { NvmlFunctions } from "./nvml.ts";
export type { NvrtcFunctions } from "./nvrtc.ts";
