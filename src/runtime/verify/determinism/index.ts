/** Whether a function gives the same bits every time. */

export type {
  ChangedInput,
  DeterminismReport,
  DeterministicOptions,
  DifferentRun,
  RunContext,
} from "./determinism-types.ts";
export { deterministic } from "./deterministic.ts";
