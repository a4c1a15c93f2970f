import { TesseraError } from "../../../platform/errors/index.ts";

/** A workload that cannot be used. */
export function workloadError(workload: string, problem: string): TesseraError {
  return new TesseraError("E_WORKLOAD", { workload, problem: problem.replace(/\.$/, "") });
}
