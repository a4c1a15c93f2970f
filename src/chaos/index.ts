/** What the package calls `chaos`: faults with expectations, experiments, and what they prove. */
export { type ExperimentOutcome, experimentOutcomes } from "../platform/words.ts";
export {
  type ChaosEvent,
  type ChaosOutcome,
  type ChaosReport,
  type ChaosSpec,
  type ChaosTarget,
  inject,
  injectableFaults,
  type LinkTarget,
} from "./event/index.ts";
export {
  experimentText,
  loadExperiment,
  parseExperiment,
  planToExperiment,
  resolveExperiment,
  runExperiment,
} from "./experiment/index.ts";
export {
  type Judgement,
  judge,
  metricTable,
  type RunMetrics,
  summarizeRuns,
} from "./judge/index.ts";
export type { ChaosPlan, PlannedFault } from "./plan/index.ts";
export type { JobEvent, RunRecord } from "./record/index.ts";
export { createSimWorld } from "./sim/index.ts";
export type { World } from "./world.ts";
