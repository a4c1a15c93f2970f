import type { PairOperation } from "./kernels.ts";

/** A range of an array. */
export interface Operand {
  readonly array: Float32Array;
  readonly start: number;
}

/** What to do, with everything said. */
export interface ElementwiseWork {
  readonly operation: PairOperation | "scale" | "relu";
  /** One array or two. */
  readonly inputs: readonly Operand[];
  readonly out: Operand;
  readonly count: number;
  /** What `scale` multiplies by. */
  readonly factor: number;
}
