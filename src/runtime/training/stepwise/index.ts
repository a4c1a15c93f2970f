/** Training as functions of values, for simulators. */
export type { SampleAccount } from "./account-samples.ts";
export {
  type Contribution,
  createStepwiseTraining,
  type StepwiseTraining,
  type TrainingPoint,
} from "./stepwise-training.ts";
