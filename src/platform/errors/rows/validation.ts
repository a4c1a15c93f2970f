import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Continuous validation. */
export const validationRows = {
  E_LOG_INVALID: {
    message: "Line {line} of {log} is not valid: {problem}.",
    hint: "Correct the line; docs/policies.md describes the format, and `tessera simulate fleet` writes an example.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
} as const satisfies Record<string, ErrorRow>;
