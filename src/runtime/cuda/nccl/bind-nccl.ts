import { defineNcclTypes, type NcclFunctions, ncclUniqueIdBytes } from "../ffi/nccl.ts";
import type { CudaLibraries } from "../libraries/index.ts";
import { ncclError, ncclResults } from "./nccl-results.ts";

/** NCCL, ready to be called. */
export interface BoundNccl {
  readonly functions: NcclFunctions;
  /** As NCCL codes it: 22703 is 2.27.3. */
  readonly versionCode: number;
  readonly version: string;
}

/**
 * NCCL of the libraries that were found.
 *
 * @throws E_CUDA_UNAVAILABLE when there is none; E_CUDA when it does not say its version.
 */
export function bindNccl(libraries: CudaLibraries): BoundNccl {
  const functions = libraries.need("nccl");
  defineNcclTypes(libraries.ffi);
  const code = Buffer.alloc(4);
  const result = functions.ncclGetVersion(code);
  if (result !== ncclResults.success) {
    throw ncclError(functions, { call: "ncclGetVersion", code: result });
  }
  const versionCode = code.readInt32LE();
  const per = versionCode >= 10_000 ? 10_000 : 1000;
  const rest = versionCode % per;
  const version = `${Math.floor(versionCode / per)}.${Math.floor(rest / 100)}.${rest % 100}`;
  return { functions, versionCode, version };
}

/** A name for a new group of ranks; one of them makes it and tells the others. */
export function newUniqueId({ functions }: BoundNccl): Uint8Array {
  const id = new Uint8Array(ncclUniqueIdBytes);
  const result = functions.ncclGetUniqueId(id);
  if (result !== ncclResults.success) {
    throw ncclError(functions, { call: "ncclGetUniqueId", code: result });
  }
  return id;
}
