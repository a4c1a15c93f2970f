export { describeTargets } from "./describe-targets.ts";
export type { Expectations, Gate, RecoveryPath, RecoveryPhase } from "./expectations.ts";
export { noPhaseLimits, recoveryPaths, recoveryPhases } from "./expectations.ts";
export {
  type ChaosPlan,
  type Defect,
  defects,
  type Fleet,
  type Limits,
  type PlannedFault,
  type Timeouts,
} from "./plan.ts";
export type { Comparison, Probe } from "./probe.ts";
export { slotsOfTargets } from "./slots-of-targets.ts";
export type { ParallelAxisName, Target } from "./target.ts";
export type { Trigger } from "./trigger.ts";
export {
  type CheckpointRule,
  type CommandWorkload,
  type FailurePolicy,
  failurePolicies,
  type InferenceWorkload,
  type Pace,
  type PodsWorkload,
  type PreemptAction,
  preemptActions,
  type RecoveryPolicy,
  type SlurmWorkload,
  type TrainingWorkload,
  type Workload,
} from "./workload.ts";
