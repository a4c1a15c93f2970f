import { decodeInto } from "../dtype/index.ts";
import { shapeError } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { resolveDim } from "../view.ts";
import { exactSum } from "./exact/exact-sum.ts";
import { requireFloat, tensorOf } from "./operands.ts";

/** Over what to reduce. */
export interface ReductionOptions {
  /** The dimensions that go; negative ones count from the end. Default all of them. */
  readonly dims?: number | readonly number[];
  /** Keeps each reduced dimension, with length 1. Default false. */
  readonly keepDims?: boolean;
}

/** Over what to sum, and how. */
export interface SumOptions extends ReductionOptions {
  /**
   * `chain` (default) adds in f64 from +0, in row-major order of what is reduced, and rounds once
   * to the dtype. `exact` gives the correctly rounded sum, which no order can change; it is slower.
   */
  readonly accumulate?: "chain" | "exact";
}

/**
 * The sum along dimensions. Integers stop at the ends of their range. Of nothing, 0. Throws E_SHAPE
 * for dimensions that are not there, E_DTYPE for an exact sum of integers.
 */
export function sum(x: Tensor, options: SumOptions = {}): Tensor {
  const plan = planOf("sum", x, options);
  if (options.accumulate === "exact") {
    return exactSum(plan.rows, { dims: 1 }).round(x.dtype).reshape(plan.shape);
  }
  return tensorOf(foldRows(plan.rows, 0, plus), { dtype: x.dtype, shape: plan.shape });
}

/** The mean along dimensions of floats: the f64 sum of `sum` over the count, then one rounding. */
export function mean(x: Tensor, options: ReductionOptions = {}): Tensor {
  requireFloat("mean", x);
  const { rows, shape } = planOf("mean", x, options);
  const count = rows.shape[1] as number;
  const means = foldRows(rows, 0, plus).map((total) => total / count);
  return tensorOf(means, { dtype: x.dtype, shape });
}

/** The largest along dimensions, exactly. NaN wins over all, +0 over -0. E_SHAPE for nothing. */
export function max(x: Tensor, options: ReductionOptions = {}): Tensor {
  const { rows, shape } = planOf("max", x, options, { minLength: 1 });
  // Math.max and Math.min keep NaN and know that -0 is below +0.
  return tensorOf(foldRows(rows, -Infinity, Math.max), { dtype: x.dtype, shape });
}

/** The smallest along dimensions, exactly. NaN wins over all, -0 over +0. E_SHAPE for nothing. */
export function min(x: Tensor, options: ReductionOptions = {}): Tensor {
  const { rows, shape } = planOf("min", x, options, { minLength: 1 });
  return tensorOf(foldRows(rows, Infinity, Math.min), { dtype: x.dtype, shape });
}

/** The gradient of `sum`: the incoming one, repeated. `x` is what was summed. */
export function sumBackward(gradient: Tensor, x: Tensor, options: SumOptions = {}): Tensor {
  const { kept } = planOf("sumBackward", x, options);
  return gradient.reshape(kept).expand(x.shape).contiguous();
}

/** The gradient of `mean`: the incoming one over the count, rounded once, repeated. */
export function meanBackward(gradient: Tensor, x: Tensor, options: ReductionOptions = {}): Tensor {
  const { kept, rows } = planOf("meanBackward", x, options);
  const count = rows.shape[1] as number;
  const values = gradient.toNumbers().map((value) => value / count);
  return tensorOf(values, { dtype: x.dtype, shape: kept }).expand(x.shape).contiguous();
}

interface Plan {
  /** [results, elements of each], elements in row-major order of the reduced dimensions. */
  readonly rows: Tensor;
  /** Of the result. */
  readonly shape: readonly number[];
  /** Of the result, with the reduced dimensions kept. */
  readonly kept: readonly number[];
}

function planOf(
  operation: string,
  x: Tensor,
  { dims, keepDims = false }: ReductionOptions,
  { minLength = 0 }: { readonly minLength?: number } = {},
): Plan {
  const rank = x.shape.length;
  const given = dims === undefined ? x.shape.keys() : [dims].flat();
  const reduced = new Set([...given].map((dim) => resolveDim(operation, dim, rank)));
  const left = [...x.shape.keys()].filter((dim) => !reduced.has(dim));
  const gone = [...x.shape.keys()].filter((dim) => reduced.has(dim));
  const lengthOf = (dim: number): number => x.shape[dim] as number;
  const count = gone.map(lengthOf).reduce((a, b) => a * b, 1);
  if (count < minLength) throw shapeError(operation, "there is no element to choose from");
  const results = left.map(lengthOf).reduce((a, b) => a * b, 1);
  const kept = x.shape.map((length, dim) => (reduced.has(dim) ? 1 : length));
  return {
    rows: x.permute([...left, ...gone]).reshape([results, count]),
    shape: keepDims ? kept : left.map(lengthOf),
    kept,
  };
}

const pieceElements = 4096;

/** For each row, `fold` over its elements in ascending order from `start` on, in f64. */
function foldRows(
  rows: Tensor,
  start: number,
  fold: (before: number, value: number) => number,
): Float64Array {
  const [results = 0, count = 0] = rows.shape;
  const raw = rows.toRaw();
  const out = new Float64Array(results).fill(start);
  const piece = new Float64Array(Math.min(raw.length, pieceElements));
  for (let first = 0; first < raw.length; first += pieceElements) {
    const length = Math.min(pieceElements, raw.length - first);
    decodeInto(rows.dtype, raw, first, length, piece);
    let result = Math.floor(first / count);
    let end = (result + 1) * count - first;
    for (let i = 0; i < length; i++) {
      if (i === end) {
        result++;
        end += count;
      }
      out[result] = fold(out[result] as number, piece[i] as number);
    }
  }
  return out;
}

function plus(a: number, b: number): number {
  return a + b;
}
