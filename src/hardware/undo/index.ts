export { causeOf, type FaultCause } from "./cause.ts";
export { type FieldsMerge, mergeFields } from "./merge-fields.ts";
export { mergeNode, type NodeMerge } from "./merge-node.ts";
export { type MergedValue, mergeValue, type ThreeValues } from "./merge-values.ts";
export { nodeUndoFor, snapshotNode } from "./node-snapshot.ts";
export { realCauseMark } from "./own-condition.ts";
export type { TakenBack, UndoPorts } from "./ports.ts";
export { controlSkewMs, takeBack } from "./take-back.ts";
