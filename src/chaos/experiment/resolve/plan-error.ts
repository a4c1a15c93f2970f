import { TesseraError } from "../../../platform/errors/index.ts";

/** An experiment that says something that cannot be. */
export function planError(title: string, problem: string): TesseraError {
  return new TesseraError("E_PLAN", { title: JSON.stringify(title), problem });
}
