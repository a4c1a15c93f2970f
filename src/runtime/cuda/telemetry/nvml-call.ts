import { TesseraError } from "../../../platform/errors/index.ts";
import { cudaError } from "../device/cuda-error.ts";
import type { NvmlFunctions } from "../ffi/nvml.ts";

/** A GPU of NVML, for reading. */
export interface NvmlGpu {
  readonly nvml: NvmlFunctions;
  readonly device: bigint;
  /** For errors: `GPU 3`. */
  readonly name: string;
}

export const nvmlResults = { success: 0, notSupported: 3, insufficientSize: 7 } as const;

// https://docs.nvidia.com/deploy/nvml-api: nvmlReturn_t
const names: Readonly<Record<number, string>> = {
  1: "NVML_ERROR_UNINITIALIZED",
  2: "NVML_ERROR_INVALID_ARGUMENT",
  3: "NVML_ERROR_NOT_SUPPORTED",
  4: "NVML_ERROR_NO_PERMISSION",
  6: "NVML_ERROR_NOT_FOUND",
  7: "NVML_ERROR_INSUFFICIENT_SIZE",
  8: "NVML_ERROR_INSUFFICIENT_POWER",
  9: "NVML_ERROR_DRIVER_NOT_LOADED",
  10: "NVML_ERROR_TIMEOUT",
  11: "NVML_ERROR_IRQ_ISSUE",
  12: "NVML_ERROR_LIBRARY_NOT_FOUND",
  13: "NVML_ERROR_FUNCTION_NOT_FOUND",
  14: "NVML_ERROR_CORRUPTED_INFOROM",
  15: "NVML_ERROR_GPU_IS_LOST",
  16: "NVML_ERROR_RESET_REQUIRED",
  17: "NVML_ERROR_OPERATING_SYSTEM",
  18: "NVML_ERROR_LIB_RM_VERSION_MISMATCH",
  19: "NVML_ERROR_IN_USE",
  20: "NVML_ERROR_MEMORY",
  21: "NVML_ERROR_NO_DATA",
  25: "NVML_ERROR_ARGUMENT_VERSION_MISMATCH",
  26: "NVML_ERROR_DEPRECATED",
  999: "NVML_ERROR_UNKNOWN",
};

/** Answers that say "this GPU does not tell", and nothing of its health. */
const untold = new Set([3, 4, 13, 21, 26]);

/** NVML's own name of an error. */
export function nvmlErrorName(code: number): string {
  return names[code] ?? "an error that NVML does not name";
}

/** @throws E_CUDA unless the call worked. */
export function checkNvml(call: string, code: number, of: string): void {
  if (code === nvmlResults.success) return;
  const detail = `${of} was asked for its state.`;
  throw cudaError({ call, name: nvmlErrorName(code), code, detail });
}

/**
 * Makes a call whose answer a GPU or driver may lack; false then.
 *
 * @throws E_CUDA for every other error, such as a GPU that is lost.
 */
export function isTold(
  gpu: NvmlGpu,
  call: keyof NvmlFunctions,
  ask: (nvml: NvmlFunctions, device: bigint) => number,
): boolean {
  const code = answerOf(gpu, ask);
  if (code === undefined || untold.has(code)) return false;
  checkNvml(call, code, gpu.name);
  return true;
}

/** Undefined when the driver is too old to have the function. */
export function answerOf(
  { nvml, device }: NvmlGpu,
  ask: (nvml: NvmlFunctions, device: bigint) => number,
): number | undefined {
  try {
    return ask(nvml, device);
  } catch (error) {
    if (error instanceof TesseraError && error.code === "E_CUDA_UNAVAILABLE") return undefined;
    throw error;
  }
}

/** A 32-bit answer, or null when the GPU does not tell. */
export function readU32(
  gpu: NvmlGpu,
  call: keyof NvmlFunctions,
  ask: (nvml: NvmlFunctions, device: bigint, into: Buffer) => number,
): number | null {
  const into = Buffer.alloc(4);
  const told = isTold(gpu, call, (nvml, device) => ask(nvml, device, into));
  return told ? into.readUInt32LE() : null;
}

/** A 64-bit answer, or null when the GPU does not tell. Counters here stay far below 2^53. */
export function readU64(
  gpu: NvmlGpu,
  call: keyof NvmlFunctions,
  ask: (nvml: NvmlFunctions, device: bigint, into: Buffer) => number,
): number | null {
  const into = Buffer.alloc(8);
  const told = isTold(gpu, call, (nvml, device) => ask(nvml, device, into));
  return told ? Number(into.readBigUInt64LE()) : null;
}
