/** Experiments: files that say what runs, what breaks and how it must come out; plans; the runner. */
export { loadExperiment, parseExperiment } from "./file/index.ts";
export { type JobPresetName, jobPresetNames, jobPresets } from "./presets/index.ts";
export { createProbes, type Probes, type ProbesOptions } from "./probes/index.ts";
export {
  type BlastRadius,
  blastRadiusOf,
  type ClaimFinding,
  type FaultForce,
  forceOf,
  judgeClaims,
  type KnownPod,
  type PredictedRecovery,
  type ResolveOptions,
  resolveExperiment,
} from "./resolve/index.ts";
export {
  baselinePlan,
  type ExperimentRun,
  type RunExperimentOptions,
  type RunPhase,
  runExperiment,
} from "./run/index.ts";
export {
  type Experiment,
  type ExperimentFile,
  experimentJsonSchema,
  parseGates,
} from "./schema/index.ts";
export { experimentText, planToExperiment } from "./write/index.ts";
