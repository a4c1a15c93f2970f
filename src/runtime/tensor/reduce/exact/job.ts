import type { DType } from "../../dtype/index.ts";
import type { ChunkSource } from "../types.ts";

/** An exact sum over sources, to be computed piece by piece. */
export interface ExactSum {
  readonly dtype: DType;
  readonly sources: readonly ChunkSource[];
  /** Source indices; each group is accumulated by itself before it is merged with the others. */
  readonly groups: readonly (readonly number[])[];
  /** What the sum is divided by before it is rounded: 1, or the number of sources. */
  readonly divisor: number;
}

/** Elements `start` to `start + count` of an exact sum. */
export interface Piece {
  readonly start: number;
  readonly count: number;
}
