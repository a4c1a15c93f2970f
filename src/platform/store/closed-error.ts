import { TesseraError } from "../errors/index.ts";

/** The error for whoever uses a store that was closed. */
export function closedError(store: string, cause?: unknown): TesseraError {
  return new TesseraError("E_STORE_UNUSABLE", { store, problem: "it was closed" }, { cause });
}
