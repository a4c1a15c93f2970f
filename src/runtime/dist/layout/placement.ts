import type { ReduceOp } from "../../tensor/reduce/types.ts";

/**
 * How a dimension of length L is split into n parts.
 * - `ceil`: parts of ⌈L/n⌉, the last ones smaller or empty (1000 over 6: five of 167, one of 165).
 * - `balanced`: sizes that differ by at most 1, the larger ones first (four of 167, two of 166).
 * - `cyclic`: part k owns the elements k, k + n, k + 2n, …
 */
export const splits = ["ceil", "balanced", "cyclic"] as const;
export type Split = (typeof splits)[number];

/** The mesh axis splits a dimension of the tensor. */
export interface ShardPlacement {
  readonly kind: "shard";
  /** The dimension; from the end when negative. */
  readonly dim: number;
  readonly split: Split;
  /** Parts begin at multiples of so many elements, so that no block of that length is cut. */
  readonly block?: number;
  /**
   * Where this axis comes when several split the same dimension: the smallest splits the whole
   * dimension, the next each of its parts. @default in the order of the mesh's axes
   */
  readonly order?: number;
}

/** Every device along the mesh axis holds the same values. */
export interface ReplicatePlacement {
  readonly kind: "replicate";
}

/** The values along the mesh axis still have to be reduced. */
export interface PartialPlacement {
  readonly kind: "partial";
  readonly op: ReduceOp;
}

/** What one mesh axis does to a tensor. */
export type Placement = ShardPlacement | ReplicatePlacement | PartialPlacement;

/** How a dimension is split over one mesh axis. */
export interface ShardOptions {
  /** @default "ceil" */
  readonly split?: Split;
  /** Parts begin at multiples of so many elements. @default 1 */
  readonly block?: number;
  /** Where this axis comes when several split the same dimension. */
  readonly order?: number;
}

/** The placement that splits a dimension, for a layout given as one placement per mesh axis. */
export function shard(dim: number, options: ShardOptions = {}): ShardPlacement {
  return { kind: "shard", dim, ...options, split: options.split ?? "ceil" };
}
