import type { Prototypes } from "./bind.ts";

/**
 * Functions of cuBLASLt, the same in 12 and 13. Each but the version answers a cublasStatus_t.
 * Handles, descriptors and device addresses are bigints; attributes, factors and results are
 * little-endian buffers that are read and written during the call.
 */
export interface CublasLtFunctions {
  cublasLtGetVersion(): number | bigint;
  cublasLtCreate(handle: Uint8Array): number;
  cublasLtDestroy(handle: bigint): number;
  cublasLtMatmulDescCreate(descriptor: Uint8Array, computeType: number, scaleType: number): number;
  cublasLtMatmulDescDestroy(descriptor: bigint): number;
  cublasLtMatmulDescSetAttribute(
    descriptor: bigint,
    attribute: number,
    value: Uint8Array,
    bytes: number,
  ): number;
  cublasLtMatrixLayoutCreate(
    layout: Uint8Array,
    type: number,
    rows: number,
    columns: number,
    leading: number,
  ): number;
  cublasLtMatrixLayoutDestroy(layout: bigint): number;
  cublasLtMatrixLayoutSetAttribute(
    layout: bigint,
    attribute: number,
    value: Uint8Array,
    bytes: number,
  ): number;
  cublasLtMatmulPreferenceCreate(preference: Uint8Array): number;
  cublasLtMatmulPreferenceDestroy(preference: bigint): number;
  cublasLtMatmulPreferenceSetAttribute(
    preference: bigint,
    attribute: number,
    value: Uint8Array,
    bytes: number,
  ): number;
  cublasLtMatmulAlgoGetHeuristic(
    handle: bigint,
    descriptor: bigint,
    a: bigint,
    b: bigint,
    c: bigint,
    d: bigint,
    preference: bigint,
    requested: number,
    results: Uint8Array,
    returned: Uint8Array,
  ): number;
  cublasLtMatmulAlgoConfigGetAttribute(
    algorithm: Uint8Array,
    attribute: number,
    value: Uint8Array,
    bytes: number,
    written: Uint8Array,
  ): number;
  cublasLtMatmul(
    handle: bigint,
    descriptor: bigint,
    alpha: Uint8Array,
    a: bigint,
    aLayout: bigint,
    b: bigint,
    bLayout: bigint,
    beta: Uint8Array,
    c: bigint,
    cLayout: bigint,
    d: bigint,
    dLayout: bigint,
    algorithm: Uint8Array,
    workspace: bigint,
    workspaceBytes: number,
    stream: bigint,
  ): number;
}

export const cublasLtPrototypes: Prototypes<CublasLtFunctions> = {
  cublasLtGetVersion: "size_t cublasLtGetVersion()",
  cublasLtCreate: "int cublasLtCreate(void *handle)",
  cublasLtDestroy: "int cublasLtDestroy(void *handle)",
  cublasLtMatmulDescCreate:
    "int cublasLtMatmulDescCreate(void *descriptor, int computeType, int scaleType)",
  cublasLtMatmulDescDestroy: "int cublasLtMatmulDescDestroy(void *descriptor)",
  cublasLtMatmulDescSetAttribute:
    "int cublasLtMatmulDescSetAttribute(void *descriptor, int attribute, void *value, size_t bytes)",
  cublasLtMatrixLayoutCreate:
    "int cublasLtMatrixLayoutCreate(void *layout, int type, uint64 rows, uint64 columns, int64 leading)",
  cublasLtMatrixLayoutDestroy: "int cublasLtMatrixLayoutDestroy(void *layout)",
  cublasLtMatrixLayoutSetAttribute:
    "int cublasLtMatrixLayoutSetAttribute(void *layout, int attribute, void *value, size_t bytes)",
  cublasLtMatmulPreferenceCreate: "int cublasLtMatmulPreferenceCreate(void *preference)",
  cublasLtMatmulPreferenceDestroy: "int cublasLtMatmulPreferenceDestroy(void *preference)",
  cublasLtMatmulPreferenceSetAttribute:
    "int cublasLtMatmulPreferenceSetAttribute(void *preference, int attribute, void *value, size_t bytes)",
  cublasLtMatmulAlgoGetHeuristic:
    "int cublasLtMatmulAlgoGetHeuristic(void *handle, void *descriptor, void *a, void *b, void *c, void *d, void *preference, int requested, void *results, void *returned)",
  cublasLtMatmulAlgoConfigGetAttribute:
    "int cublasLtMatmulAlgoConfigGetAttribute(void *algorithm, int attribute, void *value, size_t bytes, void *written)",
  cublasLtMatmul:
    "int cublasLtMatmul(void *handle, void *descriptor, void *alpha, void *a, void *aLayout, void *b, void *bLayout, void *beta, void *c, void *cLayout, void *d, void *dLayout, void *algorithm, void *workspace, size_t workspaceBytes, void *stream)",
};
