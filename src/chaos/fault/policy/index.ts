export { onFailure } from "./on-failure.ts";
export {
  type OnPreemptOptions,
  onPreempt,
  type PreemptResult,
  type StepBoundary,
} from "./on-preempt.ts";
export type {
  Attempt,
  Integrity,
  IntegrityOptions,
  OnFailureOptions,
  PolicyEvent,
  PolicyResult,
  Restored,
} from "./options.ts";
export {
  type FailurePolicy,
  failurePolicies,
  type PreemptAction,
  preemptActions,
} from "./policy-names.ts";
