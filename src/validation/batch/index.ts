export { type Begun, Engine, type Pass, type PassMode } from "./engine.ts";
export { Episodes } from "./episodes.ts";
export {
  type BatchEvent,
  type RunEvent,
  type RunRef,
  runRef,
  type TroubleEvent,
} from "./events.ts";
export { Eyes } from "./eyes.ts";
export { jobNameOf, runIdOf } from "./names.ts";
export {
  type BatchPorts,
  type Collect,
  type FoundResult,
  type JobWays,
  type Pace,
  paceDefaults,
} from "./ports.ts";
export { reconcile } from "./reconcile.ts";
export { type BatchOptions, type BatchRun, type BatchSummary, runBatch } from "./run-batch.ts";
export { Waker } from "./waker.ts";
