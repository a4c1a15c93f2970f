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
} from "./ports.ts";
