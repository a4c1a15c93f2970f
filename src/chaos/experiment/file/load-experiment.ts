import { readTextFile } from "../../../platform/files/index.ts";
import type { Experiment } from "../schema/index.ts";
import { experimentBytesMax, parseExperiment } from "./parse-experiment.ts";

/**
 * An experiment from its file.
 *
 * @param shown the file's name for people. @default path
 * @throws TesseraError E_FILE_READ, E_EXPERIMENT
 */
export async function loadExperiment(path: string, shown: string = path): Promise<Experiment> {
  const text = await readTextFile(path, { sizeBytesMax: experimentBytesMax });
  return parseExperiment(text, shown);
}
