import type { ReduceOp, ReduceOrder } from "../../tensor/reduce/index.ts";

/** How a collective made a tensor: enough to say whether another run must give the same bits. */
export interface Provenance {
  /** The collective: `all-reduce`. */
  readonly op: string;
  /** The mesh axes it ran over. */
  readonly axes: readonly string[];
  readonly reduceOp?: ReduceOp;
  readonly order?: ReduceOrder;
  /**
   * Names the order of additions: equal ids and equal inputs give equal bits. `exact/1` does not
   * depend on the mesh at all.
   */
  readonly reduceOrderId?: string;
  /**
   * How far an element of a float sum can be from the exact one, as a share of the sum of the
   * magnitudes that were added.
   */
  readonly errorBound?: number;
  /** How the time model carries it out. */
  readonly algorithm: string;
  readonly topology: string;
  /** True when the mesh names no topology, and one was taken by its size. */
  readonly topologyAssumed: boolean;
  readonly meshFingerprint: string;
  /** Remarks, each with a name in capitals first: `REDUCE_OF_REPLICATED …`. */
  readonly notes: readonly string[];
}
