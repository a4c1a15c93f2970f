/**
 * Meshes, layouts, distributed tensors, and what is known about the machines under them. The
 * operations on distributed tensors are in `op`.
 */
export {
  DistTensor,
  distribute,
  type FromLocals,
  type LocalsOf,
  type Provenance,
  type TensorInput,
  type TensorOptions,
  tensor,
} from "./array/index.ts";
export type {
  AllGatherOptions,
  AllToAllOptions,
  AllToAllVOptions,
  BroadcastOptions,
  CollectiveOptions,
  Counts,
  GatherOptions,
  HierarchicalOptions,
  PermuteOptions,
  ReduceOptions,
  ReduceScatterOptions,
  ReductionOptions,
  ScatterOptions,
  SendRecvOptions,
} from "./collectives/index.ts";
export {
  type Breakage,
  breakDuring,
  breakNow,
  currentHealth,
  type Health,
  type Side,
} from "./health/index.ts";
export {
  type DimSlice,
  type Layout,
  type LayoutSpec,
  localShape,
  localSlices,
  type Placement,
  partial,
  replicate,
  resolveLayout,
  type ShardingReport,
  type ShardSpecOptions,
  shard,
  shardSpec,
} from "./layout/index.ts";
export { type DeviceId, Mesh, type MeshOptions } from "./mesh/index.ts";
export {
  planRedistribute,
  type RedistributeOptions,
  type RedistributePlan,
  redistribute,
} from "./redistribute/index.ts";
export { type Rank, type RankProgram, spmd } from "./spmd/index.ts";
export {
  type CollectiveEstimate,
  type CollectiveOp,
  type CollectiveQuery,
  collectiveOps,
  modelCollective,
} from "./time-model/index.ts";
export { parseTopology, type Topology, topologyNames, topologyOf } from "./topology/index.ts";
