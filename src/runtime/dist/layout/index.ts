export { type AxisSplit, Layout, sameSplit } from "./layout.ts";
export {
  type DimName,
  type LayoutSpec,
  type PartialSpec,
  partial,
  replicate,
  type ShardSpec,
  type ShardSpecOptions,
  shardSpec,
} from "./layout-spec.ts";
export { type LocalQuestion, localShape, localSlices, sliceAt } from "./local-slices.ts";
export {
  type PartialPlacement,
  type Placement,
  type ReplicatePlacement,
  type ShardOptions,
  type ShardPlacement,
  type Split,
  shard,
} from "./placement.ts";
export {
  type Finding,
  type LocalFacts,
  type ShardingError,
  type ShardingReport,
  type ShardingView,
  type ShardingWarning,
  shardingReport,
} from "./report/index.ts";
export { type LayoutTarget, resolveLayout } from "./resolve-layout.ts";
export { type DimSlice, splitPart } from "./split.ts";
