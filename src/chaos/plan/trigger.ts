import type { ParallelAxisName } from "./target.ts";

/** When a fault begins. Chance was decided when the plan was made. */
export type Trigger =
  /** So long after the workload made its first step. */
  | { readonly kind: "time"; readonly atUs: number }
  /** When the targets begin this step, counted from 1; of the first time it is done. */
  | { readonly kind: "step"; readonly step: number }
  /** When the first of the targets is about to enter the n-th collective of its group, from 1. */
  | { readonly kind: "collective"; readonly axis: ParallelAxisName; readonly nth: number }
  /** In the n-th save, from 1: while shards are written, or between the last shard and the commit. */
  | { readonly kind: "checkpoint"; readonly nth: number; readonly phase: "write" | "commit" }
  /** While the n-th restore of the run, from 1, reads. */
  | { readonly kind: "restore"; readonly nth: number };
