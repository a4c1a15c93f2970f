import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { fileProblem } from "../../platform/files/file-problem.ts";

/** A ledger that cannot be written or read. */
export function ledgerError(file: string, error: unknown): TesseraError<"E_LEDGER"> {
  if (error instanceof TesseraError && error.code === "E_LEDGER") {
    return error as TesseraError<"E_LEDGER">;
  }
  const problem = error instanceof TesseraError ? messageOf(error) : fileProblem(error);
  return new TesseraError("E_LEDGER", { file, problem }, { cause: error });
}

export function ledgerProblem(file: string, problem: string): TesseraError<"E_LEDGER"> {
  return new TesseraError("E_LEDGER", { file, problem });
}
