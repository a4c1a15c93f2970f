import type { Topology } from "../topology/index.ts";

/** Every collective that has a modelled time. */
export const collectiveOps = [
  "all-reduce",
  "reduce-scatter",
  "all-gather",
  "all-to-all",
  "broadcast",
  "reduce",
  "gather",
  "scatter",
  "send-recv",
  "permute",
  "barrier",
  "hierarchical-all-reduce",
] as const;
export type CollectiveOp = (typeof collectiveOps)[number];

/** Ways to carry a collective out. `auto` takes the one with the least modelled time. */
export const algorithms = [
  "auto",
  "ring",
  "tree",
  "nvls",
  "halving-doubling",
  "pairwise",
  "direct",
  "hierarchical",
] as const;
export type Algorithm = (typeof algorithms)[number];

/** What is to be timed. */
export interface CollectiveQuery {
  readonly op: CollectiveOp;
  /** S of nccl-tests: the buffer of all-reduce, broadcast, reduce and send; the total over the group of the others. */
  readonly bytes: number;
  /** Devices of one group. */
  readonly devices: number;
  /** Groups of this size that run at the same time in the same domain. @default 1 */
  readonly concurrentGroups?: number;
  readonly topology: Topology;
  /** @default "auto" */
  readonly algorithm?: Algorithm;
  /** Devices of the group that share one domain. @default as many as the domain holds */
  readonly devicesPerDomain?: number;
  /** What the slowest link of the group still carries, of 1. @default 1 */
  readonly slowestLinkShare?: number;
}

/** One phase of a collective in several. */
export interface CollectivePhase {
  readonly name: string;
  readonly timeUs: number;
}

/** A modelled time and what it means. */
export interface CollectiveEstimate {
  readonly timeUs: number;
  readonly algorithm: Exclude<Algorithm, "auto">;
  /** bytes / time. */
  readonly algbwGBps: number;
  /** algbw times the factor of nccl-tests for the operation. */
  readonly busbwGBps: number;
  /** busbw of what one GPU's links carry in one direction; above 100 where the switch adds. */
  readonly linkPercent: number;
  /** Bytes over the narrowest cut through the middle, of what that cut carries in this time. */
  readonly bisectionPercent: number;
  /** Bytes sent by all GPUs, of what all their links carry in this time. */
  readonly aggregatePercent: number;
  /** What most of the time is spent on. */
  readonly bound: "latency" | "bandwidth";
  /** No hardware of this kind can be faster. */
  readonly wireLimitUs: number;
  /** `fitted`: inside the sizes and groups that were measured; `extrapolated` otherwise. */
  readonly basis: "fitted" | "extrapolated";
  readonly phases?: readonly CollectivePhase[];
}
