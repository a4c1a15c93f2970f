import type { DType, RawArray } from "../dtype/index.ts";
import type { KernelEngine } from "../kernels/index.ts";
import type { RandomSpec } from "../random/index.ts";

/**
 * How the ranks' elements become one. Bit operations work on the stored bits, of floats too; sums
 * and products of integers wrap around, as they do in NCCL.
 */
export const reduceOps = ["sum", "avg", "prod", "min", "max", "band", "bor", "bxor"] as const;
export type ReduceOp = (typeof reduceOps)[number];

/** One flipped or changed element: `xor` on its low 32 bits, `xorHigh` on the upper ones of f64. */
export interface BitPatch {
  /** Counted from the first element of the patched source. */
  readonly index: number;
  readonly xor: number;
  readonly xorHigh?: number;
}

/** One rank's contribution: as many elements as the request counts. Plain data. */
export type ChunkSource =
  | {
      readonly kind: "raw";
      readonly raw: RawArray;
      /** In elements. */
      readonly start: number;
    }
  | {
      readonly kind: "random";
      readonly spec: RandomSpec;
      /** The index that the first element has in the random tensor. */
      readonly start: number;
    }
  | { readonly kind: "constant"; readonly value: number }
  | {
      readonly kind: "patched";
      readonly source: ChunkSource;
      readonly patches: readonly BitPatch[];
    };

/**
 * - `exact`: the exact sum, rounded once. No order, grouping, engine or thread changes its bits.
 * - `rank`: one after the other, from source 0 up.
 * - `ring`: as a ring reduce-scatter does it. Of n sources and `count` elements, chunk c is the
 *   elements from c * ceil(count / n) on; it starts at source c + 1, is passed on to c + 2 and so on
 *   (modulo n), and is completed by source c.
 * - `tree`: neighbours in pairs, then pairs of pairs; an odd one out moves up as it is.
 */
export const reduceOrders = ["exact", "rank", "ring", "tree"] as const;
export type ReduceOrder = (typeof reduceOrders)[number];

export interface ReduceRequest {
  readonly dtype: DType;
  readonly op: ReduceOp;
  /** Elements of every source and of the result. */
  readonly count: number;
  /** In rank order, at least one. */
  readonly sources: readonly ChunkSource[];
  /** Default: `exact`. */
  readonly order?: ReduceOrder;
  /**
   * The first phase of a hierarchical reduction: each group of source indices is reduced by itself,
   * then the groups' partial results in group order. Every source belongs to exactly one group. The
   * other orders apply inside each group and again among the groups. Default: one phase.
   */
  readonly groups?: readonly (readonly number[])[];
  /**
   * What carries the running value of f16, bf16 and fp8 in the orders other than `exact`: a float of
   * 32 bits that is rounded to the dtype at the end, or the dtype itself, rounded after every step.
   * Default: `f32`.
   */
  readonly accumulate?: "dtype" | "f32";
  readonly out: RawArray;
  /** Default: 0. */
  readonly outStart?: number;
  /** At most so many threads. Default: what the kernels use. */
  readonly threads?: number;
  /** Default: TypeScript for little work, else what the kernels use. */
  readonly engine?: KernelEngine;
}

/** What a reduction did, beside its result. */
export interface ReduceStats {
  readonly elements: number;
  /** Elements whose result needed no superaccumulator: no step of their sum could have rounded. */
  readonly certified: number;
  /** Elements whose exact sum needed a superaccumulator. The engines prove slightly different ones. */
  readonly accumulated: number;
  readonly threads: number;
  /** True when all sources were one and the same, so that one reading gave the result. */
  readonly aliased: boolean;
}
