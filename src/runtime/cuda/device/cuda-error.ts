import { TesseraError } from "../../../platform/errors/index.ts";

/** A call of one of NVIDIA's libraries that answered with an error. */
export interface FailedCall {
  /** The function, as the library names it. */
  readonly call: string;
  /** The library's own name of the error: `CUDA_ERROR_ILLEGAL_ADDRESS`. */
  readonly name: string;
  readonly code: number;
  /** What else is known, as whole sentences. */
  readonly detail: string;
  /** What to do about it, where better advice can be given than to look at the GPU's health. */
  readonly hint?: string;
}

/** The error that a failed call becomes. */
export function cudaError({ hint, ...failed }: FailedCall): TesseraError<"E_CUDA"> {
  return new TesseraError("E_CUDA", failed, hint === undefined ? {} : { hint });
}

/** Results of the driver that are decided on; all others are reported by their name. */
export const driverResults = {
  success: 0,
  outOfMemory: 2,
  notFound: 500,
  notReady: 600,
} as const;

// https://docs.nvidia.com/cuda/cuda-driver-api: errors after which "the process must be terminated
// and relaunched", and those of the hardware under the context.
const endsContext = new Set([214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721]);

/** Whether every later call on the same context fails as well. */
export function endsItsContext(code: number): boolean {
  return endsContext.has(code);
}
