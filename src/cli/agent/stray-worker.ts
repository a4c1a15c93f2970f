import { TesseraError } from "../../platform/errors/index.ts";

/** For a worker that somebody started by hand. */
export function strayWorker(): TesseraError {
  return new TesseraError("E_RANK_ENVIRONMENT", {
    problem: "its standard input does not say who started it; only Tessera itself starts workers",
  });
}
