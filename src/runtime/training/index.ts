/**
 * A training job to test with: small models that learn for real, over a mesh with data, tensor and
 * pipeline parallel ranks, between real processes or step by step for simulators, the same bits every
 * time.
 */
export { createTrainingJob } from "./create-training-job.ts";
export type {
  CollectiveCall,
  DataOptions,
  JobOptions,
  LossScaleOptions,
  ModelOptions,
  OptimizerOptions,
  StepReport,
  TrainingAccumulate,
  TrainingHooks,
  TrainingOptions,
} from "./options.ts";
export {
  type RestartDifference,
  type RestartOptions,
  type RestartReport,
  type RestartRun,
  type RestartVerdict,
  validateRestart,
} from "./restart/index.ts";
export {
  type Contribution,
  createStepwiseTraining,
  type SampleAccount,
  type StepwiseTraining,
  type TrainingPoint,
} from "./stepwise/index.ts";
export type { DataCursor, RandomCursor, SampleId } from "./task/index.ts";
export { type TrainInput, type TrainResult, trainTask } from "./tasks/index.ts";
export type { TrainingJob, TrainingState } from "./training-job.ts";
export {
  createRankTraining,
  type RankTraining,
  type RankTrainingOptions,
} from "./world-training.ts";
