import type { KernelEngine } from "../engine.ts";

export interface MatmulOptions {
  /** m x k, row by row. */
  readonly a: Float32Array;
  /** k x n, row by row. */
  readonly b: Float32Array;
  /** m x n, row by row; must not overlap a or b. */
  readonly out: Float32Array;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** The first element of each. @default 0 */
  readonly aStart?: number;
  readonly bStart?: number;
  readonly outStart?: number;
  /** @default what `defaultEngine` says, and TypeScript for very small products */
  readonly engine?: KernelEngine;
  /** At most so many threads; arrays that are not shared leave one. @default 2, 1 for small products */
  readonly threads?: number;
}

/** A product with everything said. */
export type MatmulProblem = Required<Omit<MatmulOptions, "engine" | "threads">>;
