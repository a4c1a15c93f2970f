export type {
  AllToAllOptions,
  BroadcastOptions,
  GatherOptions,
  GroupOptions,
  MessageOptions,
  ReceiveOptions,
  ReduceOptions,
  ReduceScatterOptions,
} from "./calls/index.ts";
export type { Rank } from "./rank.ts";
export { type RankProgram, spmd } from "./spmd.ts";
