export { type AllGatherOptions, allGather } from "./all-gather.ts";
export { allReduce } from "./all-reduce.ts";
export { type AllToAllOptions, allToAll } from "./all-to-all.ts";
export { type AllToAllVOptions, allToAllV, type Counts } from "./all-to-all-v.ts";
export { barrier } from "./barrier.ts";
export { type HierarchicalOptions, hierarchicalAllReduce } from "./hierarchical-all-reduce.ts";
export type { CollectiveOptions, ReductionOptions } from "./options.ts";
export { type PermuteOptions, permute, type SendRecvOptions, sendRecv } from "./permute.ts";
export { reducePartial } from "./reduce-partial.ts";
export { type ReduceScatterOptions, reduceScatter } from "./reduce-scatter.ts";
export {
  type BroadcastOptions,
  broadcast,
  type GatherOptions,
  gather,
  type ReduceOptions,
  reduce,
  type ScatterOptions,
  scatter,
} from "./rooted.ts";
