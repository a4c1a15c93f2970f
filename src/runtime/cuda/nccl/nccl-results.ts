import { TesseraError } from "../../../platform/errors/index.ts";
import type { NcclFunctions } from "../ffi/nccl.ts";

/** Answers of NCCL that are decided on. */
export const ncclResults = { success: 0, inProgress: 7 } as const;

const resultNames = [
  "ncclSuccess",
  "ncclUnhandledCudaError",
  "ncclSystemError",
  "ncclInternalError",
  "ncclInvalidArgument",
  "ncclInvalidUsage",
  "ncclRemoteError",
  "ncclInProgress",
  "ncclTimeout",
] as const;

const hint =
  "Run it again with NCCL_DEBUG=INFO in the environment: NCCL's own log says more. When another rank ended first, its error is the cause.";

/** NCCL's own name of a result. */
export function ncclResultName(code: number): string {
  return resultNames[code] ?? "an unknown ncclResult_t";
}

/** The error that a failed call of NCCL becomes, with what the library itself says about it. */
export function ncclError(
  functions: NcclFunctions,
  failed: { readonly call: string; readonly code: number; readonly communicator?: bigint },
): TesseraError<"E_CUDA"> {
  const { call, code, communicator = 0n } = failed;
  const told = [
    textOf(() => functions.ncclGetErrorString(code)),
    textOf(() => functions.ncclGetLastError(communicator)),
  ].filter((text) => text !== "");
  const detail = [...new Set(told)].map((text) => text.replace(/[\s.]*$/, ".")).join(" ");
  const name = ncclResultName(code);
  return new TesseraError("E_CUDA", { call, name, code, detail }, { hint });
}

/** Old versions lack one of the two, and an error about an error helps nobody. */
function textOf(read: () => string | null): string {
  try {
    return (read() ?? "").trim();
  } catch {
    return "";
  }
}
