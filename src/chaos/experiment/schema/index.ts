export {
  type ClaimGiven,
  type ClaimUnit,
  type ExpectGiven,
  gateText,
  parseGates,
} from "./expect-schema.ts";
export {
  type Experiment,
  type ExperimentFile,
  experimentSchema,
} from "./experiment-schema.ts";
export type { FaultGiven, TargetGiven, TriggerGiven } from "./fault-schema.ts";
export { experimentJsonSchema } from "./json-schema.ts";
export { comparisonText, type ProbeGiven } from "./probe-schema.ts";
export { defined, durationText } from "./values.ts";
export type { TrainingGiven, WorkloadGiven } from "./workload-schema.ts";
