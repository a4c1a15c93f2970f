export { type ApplyFieldsOptions, applyFields } from "./apply-fields.ts";
export { passthroughFields, passthroughNotes, withPassthrough } from "./passthrough-fields.ts";
export {
  chooseTargetNode,
  gpuPods,
  isNodeReady,
  isServing,
  type PlacementOptions,
  type PlacementVerdict,
  podsOnHealthyNodes,
} from "./pods.ts";
export { podSelector, podsOf, readWorkload } from "./read-workload.ts";
export { releaseFields, undoAfterRelease } from "./release-fields.ts";
export { needsRestart, releaseEffect } from "./restarts.ts";
export type { ShimOptions } from "./shim-fields.ts";
export { workloadName, workloadType } from "./workload-types.ts";
