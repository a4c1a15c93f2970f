import assert from "node:assert/strict";
import { type DType, dtypeInfo } from "../dtype/index.ts";
import type { ReduceOrder } from "./types.ts";

export interface OrderErrorBoundOptions {
  readonly order: ReduceOrder;
  /** How many values are added. */
  readonly ranks: number;
  readonly dtype: DType;
  /** The sum of the absolute values of what is added. */
  readonly sumOfMagnitudes: number;
  /** As in the request. Default: `f32`. */
  readonly accumulate?: "dtype" | "f32";
}

/**
 * How far the sum of one element can be from the exact one, in that order: each value passes through
 * at most n - 1 roundings in a chain (`rank`, `ring`) and ceil(log2 n) in a tree, of u =
 * 2^-precision each, and k roundings amount to at most k u / (1 - k u) of it. The last rounding, of
 * a wide running value to the dtype, is part of it. Integers do not round: 0, unless they wrap.
 * Infinity where k u reaches 1. Overflow is not covered.
 */
export function orderErrorBound(options: OrderErrorBoundOptions): number {
  const { order, ranks, dtype, sumOfMagnitudes, accumulate = "f32" } = options;
  assert(Number.isSafeInteger(ranks) && ranks >= 1, "at least one rank");
  assert(sumOfMagnitudes >= 0, "a sum of magnitudes is not negative");
  const info = dtypeInfo(dtype);
  if (info.kind === "integer" || ranks === 1) return 0;
  // Relative even among subnormals, where every sum of values of the dtype is one itself.
  const last = relativeError(1, info.precision);
  if (order === "exact") return last * sumOfMagnitudes;
  const wide = info.precision < 24 && accumulate === "f32";
  const steps = order === "tree" ? 32 - Math.clz32(ranks - 1) : ranks - 1;
  const running = relativeError(steps, wide ? 24 : info.precision);
  if (!wide) return running * sumOfMagnitudes;
  return (running + last * (1 + running)) * sumOfMagnitudes;
}

function relativeError(roundings: number, precision: number): number {
  const share = roundings * 2 ** -precision;
  return share < 1 ? share / (1 - share) : Number.POSITIVE_INFINITY;
}
