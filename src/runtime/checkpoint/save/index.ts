export type { PendingSave } from "./pending-save.ts";
export { planSave, type SavePlan } from "./plan-save.ts";
export { type Pruned, type PruneOptions, prune } from "./prune.ts";
export { type RankPart, rankPart } from "./rank-part.ts";
export { save, saveAsync } from "./save.ts";
