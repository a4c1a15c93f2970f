import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseExperiment } from "../../chaos/experiment/index.ts";
import { readTextFile } from "../../platform/files/index.ts";
import type { ExperimentPreset } from "../api/experiments.ts";

const presetsMax = 200;
const sizeBytesMax = 256 * 1024;

/** The experiment files of a folder, by name. One that cannot be read is told of and left out. */
export async function readPresets(
  folder: string,
  onProblem: (error: unknown, file: string) => void,
): Promise<readonly ExperimentPreset[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).toSorted();
  const presets: ExperimentPreset[] = [];
  for (const file of names.slice(0, presetsMax)) {
    try {
      const text = await readTextFile(join(folder, file), { sizeBytesMax });
      presets.push(presetOf(file.replace(/\.yaml$/, ""), text));
    } catch (error) {
      onProblem(error, file);
    }
  }
  return presets;
}

function presetOf(name: string, text: string): ExperimentPreset {
  const { title, faults = [] } = parseExperiment(text, `${name}.yaml`);
  const names = [...new Set(faults.map(({ fault }) => fault))];
  return { name, title, mustFail: name.endsWith("-must-fail"), faults: names, text };
}
