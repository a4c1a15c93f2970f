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
  E_CLUSTER_UNKNOWN: {
    message: "There is no cluster named {cluster} in the configuration{suggestion}.",
    hint: "Known clusters: {known}. `validation.clusters` in the configuration lists them.",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
} as const satisfies Record<string, ErrorRow>;
