export type { Coordinator, CoordinatorPort, WithoutTime } from "./coordinator-port.ts";
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
export type { Worker, WorkerPort } from "./worker-port.ts";
