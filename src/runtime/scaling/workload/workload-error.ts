import { TesseraError } from "../../../platform/errors/index.ts";

/** A workload that cannot be used. */
export function workloadError(workload: string, problem: string): TesseraError {
  return new TesseraError(
    "E_USAGE",
    { problem: `The workload ${workload} cannot be used: ${problem}`, command: "scale" },
    { hint: "Name mini, gpt-1b, gpt-7b, gpt-70b or gpt-175b, or a YAML file of the same fields." },
  );
}
