import { exp, log } from "../math/index.ts";
import type { Tensor } from "../tensor.ts";
import { requireFloat } from "./operands.ts";
import { mapRows } from "./rows.ts";

export interface AlongOptions {
  /** The dimension whose elements belong together. Default the last. */
  readonly dim?: number;
}

/**
 * exp(x - max) over its sum along a dimension: f64, the sum ascending, one rounding. -Inf gives 0.
 * A row with NaN or +Inf, or with nothing but -Inf, is NaN throughout. Throws E_DTYPE for integers, E_SHAPE
 * for no such dimension.
 */
export function softmax(x: Tensor, { dim = -1 }: AlongOptions = {}): Tensor {
  requireFloat("softmax", x);
  return mapRows("softmax", { inputs: [x], dim }, ({ inputs: [values], out, start, length }) => {
    softmaxRow(values as Float64Array, { start, length, scale: 1 }, out);
  });
}

/**
 * The gradient of `softmax` from its result y: y (g - sum of y g), f64, the sum ascending, one
 * rounding.
 */
export function softmaxBackward(
  gradient: Tensor,
  y: Tensor,
  { dim = -1 }: AlongOptions = {},
): Tensor {
  return mapRows(
    "softmaxBackward",
    { inputs: [gradient, y], dim },
    ({ inputs, out, start, length }) => {
      const [g, y] = inputs as [Float64Array, Float64Array];
      let dot = 0;
      for (let i = start; i < start + length; i++) dot += (y[i] as number) * (g[i] as number);
      for (let i = start; i < start + length; i++) {
        out[i] = (y[i] as number) * ((g[i] as number) - dot);
      }
    },
  );
}

/**
 * x - max - log(sum of exp(x - max)) along a dimension: f64, the sum ascending, one rounding. Rows
 * with NaN, with +Inf or of nothing but -Inf are NaN throughout. Throws as `softmax`.
 */
export function logSoftmax(x: Tensor, { dim = -1 }: AlongOptions = {}): Tensor {
  requireFloat("logSoftmax", x);
  return mapRows("logSoftmax", { inputs: [x], dim }, ({ inputs: [values], out, start, length }) => {
    const row = values as Float64Array;
    const { max, logSum } = logSumExp(row, start, length);
    for (let i = start; i < start + length; i++) out[i] = (row[i] as number) - max - logSum;
  });
}

/** The gradient of `logSoftmax` from its result y: g - exp(y) times the sum of g, as above. */
export function logSoftmaxBackward(
  gradient: Tensor,
  y: Tensor,
  { dim = -1 }: AlongOptions = {},
): Tensor {
  return mapRows(
    "logSoftmaxBackward",
    { inputs: [gradient, y], dim },
    ({ inputs, out, start, length }) => {
      const [g, y] = inputs as [Float64Array, Float64Array];
      let total = 0;
      for (let i = start; i < start + length; i++) total += g[i] as number;
      for (let i = start; i < start + length; i++) {
        out[i] = (g[i] as number) - exp(y[i] as number) * total;
      }
    },
  );
}

/** The softmax of a row times `scale`, not yet rounded, at the same places of `out`. */
export function softmaxRow(
  values: Float64Array,
  {
    start,
    length,
    scale,
  }: { readonly start: number; readonly length: number; readonly scale: number },
  out: Float64Array,
): void {
  let max = Number.NEGATIVE_INFINITY;
  for (let i = start; i < start + length; i++) {
    const value = (values[i] as number) * scale;
    out[i] = value;
    max = Math.max(max, value);
  }
  let total = 0;
  for (let i = start; i < start + length; i++) {
    const value = exp((out[i] as number) - max);
    out[i] = value;
    total += value;
  }
  for (let i = start; i < start + length; i++) out[i] = (out[i] as number) / total;
}

/** The largest of a row and the logarithm of the sum of exp(x - max), ascending. */
export function logSumExp(
  values: Float64Array,
  start: number,
  length: number,
): { readonly max: number; readonly logSum: number } {
  let max = Number.NEGATIVE_INFINITY;
  for (let i = start; i < start + length; i++) max = Math.max(max, values[i] as number);
  let total = 0;
  for (let i = start; i < start + length; i++) total += exp((values[i] as number) - max);
  return { max, logSum: log(total) };
}
