import type { Prototypes } from "./bind.ts";

/** Functions of cuBLAS, the same in 12 and 13. Each answers a cublasStatus_t. */
export interface CublasFunctions {
  cublasCreate_v2(handle: Uint8Array): number;
  cublasDestroy_v2(handle: bigint): number;
  cublasSetStream_v2(handle: bigint, stream: bigint): number;
}

export const cublasPrototypes: Prototypes<CublasFunctions> = {
  cublasCreate_v2: "int cublasCreate_v2(void *handle)",
  cublasDestroy_v2: "int cublasDestroy_v2(void *handle)",
  cublasSetStream_v2: "int cublasSetStream_v2(void *handle, void *stream)",
};
