import { TesseraError } from "../../../platform/errors/index.ts";

/** Refuses a comparison that was asked for in a way that has no answer. */
export function verifyError(problem: string, hint?: string): TesseraError<"E_VERIFY"> {
  return new TesseraError("E_VERIFY", { problem }, hint === undefined ? {} : { hint });
}
