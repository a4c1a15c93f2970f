export { type InFile, namingFiles } from "./failures.ts";
export { boxesOfAll, boxesOnMesh } from "./held-boxes.ts";
export { manifestOf } from "./manifest-of.ts";
export type { PendingSave } from "./pending-save.ts";
export {
  type PlannedChunk,
  type PlannedFile,
  type PlannedTensor,
  planSave,
  type SavePlan,
} from "./plan-save.ts";
export { type Pruned, type PruneOptions, prune } from "./prune.ts";
export { claimName, commitClaimed } from "./publish.ts";
export { type RankPart, rankPart } from "./rank-part.ts";
export { save, saveAsync } from "./save.ts";
export { requireTag } from "./snapshot.ts";
export { makeTemp } from "./temp-folder.ts";
export type { ShardRecord } from "./write-shard.ts";
