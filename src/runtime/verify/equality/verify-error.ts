import { TesseraError } from "../../../platform/errors/index.ts";

/** Refuses a comparison that was asked for in a way that has no answer. */
export function verifyError(problem: string, hint?: string): TesseraError<"E_SHAPE"> {
  return new TesseraError(
    "E_SHAPE",
    { operation: "verify", problem },
    {
      hint:
        hint ??
        "Give tensors, numbers, texts, truth values, or records and lists of them, and options in their range.",
    },
  );
}
