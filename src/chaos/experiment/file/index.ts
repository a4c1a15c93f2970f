export { loadExperiment } from "./load-experiment.ts";
export { parseExperiment } from "./parse-experiment.ts";
