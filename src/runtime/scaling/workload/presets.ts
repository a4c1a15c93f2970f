import { parametersOf, workloadDefaults } from "./complete.ts";
import type { Workload } from "./types.ts";

const { vocabulary, ...defaults } = workloadDefaults;

function gpt(
  name: string,
  options: {
    readonly title: string;
    readonly model: Omit<Workload["model"], "parameters" | "vocabulary"> & {
      readonly parameters?: number;
    };
    readonly batch: Workload["batch"];
  },
): Workload {
  const model = { vocabulary, ...options.model };
  const parameters = model.parameters ?? parametersOf(model);
  return {
    name,
    title: options.title,
    ...defaults,
    model: { ...model, parameters },
    batch: options.batch,
  };
}

/** The workloads known by name. */
export const workloadPresets: readonly Workload[] = [
  gpt("mini", {
    title: "GPT of 124 million weights, sequences of 1024",
    model: { layers: 12, hidden: 768, sequence: 1024 },
    batch: { global: 1024, perDevice: 16, micro: 8 },
  }),
  gpt("gpt-1b", {
    title: "GPT of 1.3 billion weights, sequences of 2048",
    model: { layers: 24, hidden: 2048, sequence: 2048 },
    batch: { global: 1024, perDevice: 16, micro: 4 },
  }),
  gpt("gpt-7b", {
    title: "GPT of 6.7 billion weights, sequences of 4096",
    model: { layers: 32, hidden: 4096, sequence: 4096 },
    batch: { global: 1024, perDevice: 8, micro: 1 },
  }),
  gpt("gpt-70b", {
    title: "GPT of 70 billion weights, sequences of 4096",
    model: { layers: 80, hidden: 8192, sequence: 4096, parameters: 70e9 },
    batch: { global: 1024, perDevice: 4, micro: 1 },
  }),
  gpt("gpt-175b", {
    title: "GPT-3 of 175 billion weights, sequences of 2048",
    model: { layers: 96, hidden: 12_288, sequence: 2048 },
    batch: { global: 1152, perDevice: 4, micro: 1 },
  }),
];

/** The workload of a report that names none: it fits on one device of every known system. */
export const workloadDefault = "gpt-1b";

/** The names of the presets. */
export const workloadNames: readonly string[] = workloadPresets.map(({ name }) => name);
