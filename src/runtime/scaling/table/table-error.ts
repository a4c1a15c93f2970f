import { TesseraError } from "../../../platform/errors/index.ts";

/** A table of runs that cannot be used. */
export function tableError(file: string, problem: string): TesseraError {
  return new TesseraError("E_SCALING_TABLE", { file, problem });
}
