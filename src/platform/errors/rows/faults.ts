import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Injected faults. */
export const faultsRows = {
  E_FAULT_UNKNOWN: {
    message: "There is no fault {fault}{suggestion}.",
    hint: "The faults are {known}.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_FAULT_INVALID: {
    message: "The fault {fault} cannot be injected: {problem}.",
    hint: "{remedy}",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
} as const satisfies Record<string, ErrorRow>;
