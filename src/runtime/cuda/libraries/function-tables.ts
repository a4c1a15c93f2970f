import type { Prototypes } from "../ffi/bind.ts";
import { type CublasFunctions, cublasPrototypes } from "../ffi/cublas.ts";
import { type CublasLtFunctions, cublasLtPrototypes } from "../ffi/cublas-lt.ts";
import { type DriverFunctions, driverPrototypes } from "../ffi/driver.ts";
import { type NcclFunctions, ncclPrototypes } from "../ffi/nccl.ts";
import { type NvmlFunctions, nvmlPrototypes } from "../ffi/nvml.ts";
import { type NvrtcFunctions, nvrtcPrototypes } from "../ffi/nvrtc.ts";

/** The functions that are used of each library. */
export interface LibraryFunctions {
  cuda: DriverFunctions;
  nvml: NvmlFunctions;
  cublas: CublasFunctions;
  cublasLt: CublasLtFunctions;
  nvrtc: NvrtcFunctions;
  nccl: NcclFunctions;
}

export type CallableLibrary = keyof LibraryFunctions;

export const libraryPrototypes: {
  readonly [Name in CallableLibrary]: Prototypes<LibraryFunctions[Name]>;
} = {
  cuda: driverPrototypes,
  nvml: nvmlPrototypes,
  cublas: cublasPrototypes,
  cublasLt: cublasLtPrototypes,
  nvrtc: nvrtcPrototypes,
  nccl: ncclPrototypes,
};
