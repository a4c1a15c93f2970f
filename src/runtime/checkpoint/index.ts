/**
 * Checkpoints that cannot lie: sharded safetensors files, a manifest with a hash of every piece, and a
 * COMMIT that is written last. At no moment is neither the old nor the new one valid; a load verifies
 * what it reads, lays it out for any mesh, and goes back to the last good one when it must.
 *
 * ```ts
 * await save("step100", { model, optimizer }, { root, mesh });
 * const { model, optimizer } = await load("step100", { root, remapTo: otherMesh });
 * ```
 */
export {
  type CheckpointFacts,
  type DiffResult,
  diffPaths,
  type Inspection,
  inspectPath,
  type Reshard,
  type ReshardResult,
  reshardCheckpoint,
  type VerifyResult,
  verifyPath,
} from "./examine/index.ts";
export {
  type CheckpointFiles,
  createNodeFiles,
  type FileReader,
  type FileWriter,
  type FolderEntry,
} from "./files/index.ts";
export { type LoadStateOptions, lastCommitted, list, load, restore } from "./load/index.ts";
export type { Commit, Manifest } from "./manifest/index.ts";
export type {
  CheckpointPlace,
  CheckpointSummary,
  LoadedCheckpoint,
  LoadOptions,
  RefusedCheckpoint,
  Retention,
  SavedCheckpoint,
  SaveOptions,
} from "./options.ts";
export {
  openSafetensors,
  type SafetensorsEntry,
  type SafetensorsFile,
  type SafetensorsHeader,
  type SafetensorsRule,
  safetensorsRules,
  saveSafetensors,
} from "./safetensors/index.ts";
export {
  type PendingSave,
  type Pruned,
  type PruneOptions,
  prune,
  type RankPart,
  rankPart,
  save,
  saveAsync,
} from "./save/index.ts";
export type { State, StateLeaf, StateNode, StateValue } from "./state.ts";
