export { healthMarks } from "../clusters/health-marks.ts";
export { type ActionOutcome, type ApplyPorts, applyActions } from "./apply-actions.ts";
export { type ClearPorts, clearNode } from "./clear-node.ts";
export { type ActInput, decideActions } from "./decide-actions.ts";
export type { Decision, NodeAction, NodeHealth, Refusal, RefusalCode } from "./decision.ts";
export { heldNodes } from "./held-nodes.ts";
export { LabelMemory } from "./labels.ts";
export { createNodeCare, type NodeCare, type NodeCareOptions } from "./node-care.ts";
export { type HealthOfNode, healthOf } from "./node-health.ts";
export { deedsOf, type NodeDeeds } from "./node-record.ts";
export { noticedEvents } from "./noticed.ts";
export {
  type PersonAction,
  type PersonWord,
  recordWord,
  wordCondition,
  wordSentences,
} from "./person-word.ts";
export { wantedByPeople } from "./wanted-by-people.ts";
export { wantedForClosed } from "./wanted-for-closed.ts";
