export { createPolicy, type PolicyName, policyNames } from "./create-policy.ts";
export {
  type CheckFacts,
  type Choice,
  costOf,
  type Fleet,
  type NodeFacts,
  type Openings,
  type Policy,
  type PublicEvent,
  secondsPerDay,
  secondsPerHour,
} from "./policy.ts";
export {
  buildPriorityQueue,
  type DueEntry,
  dueEntries,
  dueReason,
  isStale,
  type LatestStatus,
  type QueueEntry,
} from "./priority-queue.ts";
export { createRandomPolicy } from "./random.ts";
export {
  createLiveRiskPolicy,
  createRiskPolicy,
  type LiveRiskPolicy,
  type RiskOptions,
} from "./risk/index.ts";
export { createStalePolicy, staleAfterDaysDefault } from "./stale.ts";
export { type RunningTest, TestFloor } from "./test-floor.ts";
