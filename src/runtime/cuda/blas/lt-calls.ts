import { cudaError } from "../device/cuda-error.ts";
import type { CudaDevice } from "../device/device.ts";
import type { CublasLtFunctions } from "../ffi/cublas-lt.ts";

/** Attributes of cuBLASLt by their numbers. */
export const ltAttributes = {
  transposeFirst: 3,
  transposeSecond: 4,
  smCountTarget: 15,
  fastAccumulate: 25,
  batchCount: 5,
  batchStride: 6,
  workspaceBytes: 1,
  reductionSchemes: 3,
} as const;

/** Partial sums over k go through the workspace in the type of sums, added in a fixed order. */
export const ordinaryReduction = 2;

const statusNames: Readonly<Record<number, string>> = {
  1: "CUBLAS_STATUS_NOT_INITIALIZED",
  3: "CUBLAS_STATUS_ALLOC_FAILED",
  7: "CUBLAS_STATUS_INVALID_VALUE",
  8: "CUBLAS_STATUS_ARCH_MISMATCH",
  11: "CUBLAS_STATUS_MAPPING_ERROR",
  13: "CUBLAS_STATUS_EXECUTION_FAILED",
  14: "CUBLAS_STATUS_INTERNAL_ERROR",
  15: "CUBLAS_STATUS_NOT_SUPPORTED",
  16: "CUBLAS_STATUS_LICENSE_ERROR",
};

/** Lets a successful call of cuBLASLt pass. @throws E_CUDA otherwise, with the status by name. */
export function checkLt(call: string, status: number, what: string): void {
  if (status === 0) return;
  const name = statusNames[status] ?? "an unknown status";
  throw cudaError({ call, name, code: status, detail: `It was about ${what}.` });
}

/** cuBLASLt for a device, whose context is then current. @throws E_CUDA_UNAVAILABLE, E_CUDA */
export function ltOf(device: CudaDevice): CublasLtFunctions {
  device.makeCurrent();
  return device.libraries.need("cublasLt");
}

/** A number as the bytes of an attribute. */
export function i32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}

export function i64Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true);
  return bytes;
}

/** What a call of `…Create` has left. */
export function createdHandle(create: (into: Uint8Array) => void): bigint {
  const into = new Uint8Array(8);
  create(into);
  return new DataView(into.buffer).getBigUint64(0, true);
}
