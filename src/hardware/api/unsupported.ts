import { TesseraError } from "../../platform/errors/index.ts";

/** Something that callers of the first fault injection service may ask for and that is not there. */
export function unsupported(what: string, problem: string): TesseraError<"E_HW_UNSUPPORTED"> {
  return new TesseraError("E_HW_UNSUPPORTED", { what, problem });
}
