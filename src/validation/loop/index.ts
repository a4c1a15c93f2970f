export { type ClusterPlan, planForPeople } from "./cluster-plan.ts";
export { createLoop } from "./loop.ts";
export type {
  Act,
  Judge,
  Loop,
  LoopEvent,
  LoopOptions,
  LoopState,
  LoopStatus,
  LoopSummary,
  OpenRunStatus,
  Prospect,
} from "./ports.ts";
export { openRunStatus } from "./status.ts";
