/** Checkpoints and safetensors files for people: judged, described, compared, laid out anew. */
export { diffPaths } from "./diff-paths.ts";
export type {
  DiffResult,
  ElementDifference,
  FormDifference,
  TensorDifference,
  ValueDifference,
} from "./difference.ts";
export { inspectPath } from "./inspect-path.ts";
export type { CheckpointFacts, FileFacts, Inspection, TensorFacts } from "./inspection.ts";
export { type Reshard, type ReshardResult, reshardCheckpoint } from "./reshard-checkpoint.ts";
export type { FileVerdict, VerifyResult } from "./verdict.ts";
export { verifyPath } from "./verify-path.ts";
