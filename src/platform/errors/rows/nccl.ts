import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** What NCCL and nccl-tests write. */
export const ncclRows = {
  E_NCCL_OUTPUT: {
    message: "{file} cannot be read: {problem}.",
    hint: "`tessera nccl import` takes the text or the JSON (-J) of nccl-tests, and logs of NCCL_DEBUG=INFO.",
    exitCode: exitCodes.usage,
    httpStatus: 422,
  },
} as const satisfies Record<string, ErrorRow>;
