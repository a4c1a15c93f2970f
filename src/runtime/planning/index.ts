export { availabilityIntervalS, availabilityOf, checkpointsToKeep } from "./availability.ts";
export { type Band, bandLevel } from "./band.ts";
export {
  type CheckpointPlan,
  type CurvePoint,
  type IntervalForm,
  intervalForms,
  planCheckpoints,
  type RecommendedInterval,
  type ShapeResult,
} from "./checkpoint-plan.ts";
export {
  ettrOf,
  exactIntervalS,
  flatRange,
  type IntervalRange,
  type TimeSplit,
  timeSplit,
} from "./exact.ts";
export { type ExpectedEttr, expectedEttr, firstOrderLoadMax } from "./expected-ettr.ts";
export {
  type FailureRate,
  jobMtbfS,
  type ObservedFailures,
  plannedPerNodeDay,
  publishedPerNodeDay,
  type StatedRate,
  statedUncertainty,
} from "./failure-rate.ts";
export { dalyIntervalS, youngIntervalS } from "./first-order.ts";
export type { CheckpointJob } from "./job.ts";
export {
  type CheckpointPlanRequest,
  defaultTimeUncertainty,
  jobOf,
  planProblem,
} from "./request.ts";
export { type SimulatedSplit, type Simulation, simulateSplit } from "./simulate.ts";
