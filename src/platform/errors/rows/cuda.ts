import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Real GPUs. */
export const cudaRows = {
  E_CUDA_UNAVAILABLE: {
    message: "No GPU can be used here: {reason}.",
    hint: "`tessera doctor` says which of NVIDIA's libraries load and what is wrong with the others.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_CUDA: {
    message: "{call} failed: {name} ({code}). {detail}",
    hint: "Look for the GPU's errors with `nvidia-smi -q` and in the kernel log (`dmesg`, lines with Xid).",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
} as const satisfies Record<string, ErrorRow>;
