export { stepOfTag, tagOfStep } from "./checkpoint-tag.ts";
export { createCoordinator } from "./coordinator.ts";
export type { Coordinator, CoordinatorPort, WithoutTime } from "./coordinator-port.ts";
export {
  type CoordinatorOptions,
  coordinatorOptionsOf,
  type JobShape,
  type WorkerOptions,
  workerOptionsOf,
} from "./job-options.ts";
export type {
  Assignment,
  PlatformNews,
  Slot,
  StepNews,
  ToCoordinator,
  ToWorker,
  TroubleCause,
  WorkerName,
} from "./messages.ts";
export { StepWords } from "./step-words.ts";
export { createWorker } from "./worker.ts";
export type { Worker, WorkerPort } from "./worker-port.ts";
