export { experimentText } from "./experiment-text.ts";
export { planToExperiment } from "./plan-to-experiment.ts";
