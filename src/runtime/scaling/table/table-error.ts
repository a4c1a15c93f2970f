import { TesseraError } from "../../../platform/errors/index.ts";

/** A table of runs that cannot be used. */
export function tableError(file: string, problem: string): TesseraError {
  return new TesseraError(
    "E_USAGE",
    { problem: `The table ${file} cannot be used: ${problem}.`, command: "scale" },
    {
      hint: "Give CSV with the columns devices,time_s and if you like work, a row for each run, or a JSON list of such records.",
    },
  );
}
