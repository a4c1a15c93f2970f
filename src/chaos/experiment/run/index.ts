export { baselinePlan } from "./baseline.ts";
export {
  type ExperimentRun,
  type RunExperimentOptions,
  type RunPhase,
  runExperiment,
} from "./run-experiment.ts";
