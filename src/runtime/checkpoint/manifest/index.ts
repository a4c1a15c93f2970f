export { parseStrictJson, StrictJsonError } from "../json/index.ts";
export {
  type CheckpointName,
  checkpointName,
  commitFileName,
  isTag,
  manifestFileName,
  parseCheckpointName,
  shardFileName,
} from "./checkpoint-name.ts";
export { formatCommit, formatManifest } from "./format.ts";
export type {
  Commit,
  Manifest,
  ManifestChunk,
  ManifestFile,
  ManifestMesh,
  ManifestPiece,
  ManifestTensor,
} from "./manifest.ts";
export { parseCommit } from "./parse-commit.ts";
export { parseManifest } from "./parse-manifest.ts";
export { chunkKey } from "./parse-tensor.ts";
export { type PlannedBoxes, planHashOf } from "./plan-hash.ts";
export { type Committed, readCommitted } from "./read-committed.ts";
export { type CorruptWhere, corrupt } from "./refuse.ts";
