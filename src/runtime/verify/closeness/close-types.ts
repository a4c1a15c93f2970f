import type { DType } from "../../tensor/dtype/index.ts";

/** How far apart two elements may be: within `atol + rtol · the larger magnitude`, or within `maxUlp` steps. */
export interface Tolerance {
  readonly atol: number;
  readonly rtol: number;
  /** Steps along the values of the dtype. */
  readonly maxUlp: number;
}

/** Operations whose rounding errors grow with how much they sum. */
export type SummingOp = "matmul" | "sum" | "mean" | "all-reduce" | "reduce-scatter";

export interface CloseOptions {
  /**
   * Any of these three replaces the table: those not given are then 0.
   * @default what the table has for the coarser dtype
   */
  readonly atol?: number;
  readonly rtol?: number;
  readonly maxUlp?: number;
  /** Takes the table's row of this dtype. @default the coarser of the two */
  readonly dtype?: DType;
  /** What made the values; with `k`, what its sums add to the tolerance is allowed too. */
  readonly op?: SummingOp;
  /** Terms of each sum. */
  readonly k?: number;
  /** NaN is close to NaN. @default false */
  readonly equalNaN?: boolean;
}

/** The element that is furthest beyond what is allowed, or nearest to it when all are within. */
export interface WorstElement {
  readonly path: string;
  readonly index: readonly number[];
  readonly a: number;
  readonly b: number;
  readonly abs: number;
  /** Of the larger magnitude. */
  readonly rel: number;
  /** Rounded from 2^53 on; null with a NaN. */
  readonly ulps: number | null;
  /** The largest difference that is allowed here. */
  readonly allowedAbs: number;
}

export interface CloseVerdict {
  readonly close: boolean;
  /** In one line: why it is or is not. */
  readonly reason: string;
  readonly elements: number;
  /** Elements that are not close; where replicas disagree, each copy counts. */
  readonly beyond: number;
  /** Undefined when nothing could be compared, or all bits are the same. */
  readonly worst?: WorstElement;
  /** What was applied to the leaf with the worst element; undefined when no tensor was compared. */
  readonly tolerance?: Tolerance;
}
