import { type Experiment, parseExperiment } from "../../chaos/experiment/index.ts";
import { isTesseraError, TesseraError } from "../../platform/errors/index.ts";
import { shownFile } from "./shown-file.ts";

/**
 * The experiment of a request.
 *
 * @throws E_EXPERIMENT that shows its callers every problem with its line
 */
export function readExperiment(text: string): Experiment {
  try {
    return parseExperiment(text, shownFile);
  } catch (error) {
    if (!isTesseraError(error) || error.code !== "E_EXPERIMENT") throw error;
    const { line, column, problems } = error.details;
    const shown = { line, column, problems };
    throw new TesseraError("E_EXPERIMENT", { ...error.details, shown } as never, { cause: error });
  }
}
