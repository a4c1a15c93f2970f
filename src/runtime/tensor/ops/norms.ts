import { shapeError } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { requireFloat, requireSameDType, requireShape, tensorOf } from "./operands.ts";

/** What a norm is made of besides its input. */
export interface NormParams {
  /** One factor per element of the last dimension. */
  readonly gain: Tensor;
  /** Added at the end. Default none. */
  readonly bias?: Tensor;
  /** Added to the variance, or to the mean square, before the root. Default 1e-5. */
  readonly epsilon?: number;
}

/** The gradients of a norm, those of its parameters still one per row, to be summed over rows. */
export interface NormGradients {
  readonly input: Tensor;
  /** g times the normalised input, f64, in the shape of the input. */
  readonly gainTerms: Tensor;
}

/** Where a norm puts its zero: at the mean of each row, or where it is. */
type Centre = "mean" | "none";

/**
 * (x - mean) / sqrt(variance + epsilon) times the gain, plus the bias, along the last dimension. In
 * f64: the mean, then the mean of the squared differences, both summed ascending; one rounding at
 * the end. A row with Inf or NaN is NaN throughout. Throws E_SHAPE and E_DTYPE.
 */
export function layerNorm(x: Tensor, params: NormParams): Tensor {
  return norm("layerNorm", x, params, "mean");
}

/**
 * x / sqrt(mean of squares + epsilon) times the gain, plus the bias; otherwise as `layerNorm`. NaN
 * makes a row NaN throughout; Inf makes itself NaN and the others 0, before gain and bias.
 */
export function rmsNorm(x: Tensor, params: NormParams): Tensor {
  return norm("rmsNorm", x, params, "none");
}

/**
 * The gradients of `layerNorm` at x. The input's, in f64 with sums ascending and one rounding:
 * r (h - mean of h - n mean of h n) with h = g gain, n the normalised input, r the inverse root.
 * Those of gain and bias are sums over rows of `gainTerms` and of g.
 */
export function layerNormBackward(gradient: Tensor, x: Tensor, params: NormParams): NormGradients {
  return normBackward("layerNormBackward", { gradient, x, params, centre: "mean" });
}

/** The gradients of `rmsNorm` at x: as `layerNormBackward`, without the mean of h. */
export function rmsNormBackward(gradient: Tensor, x: Tensor, params: NormParams): NormGradients {
  return normBackward("rmsNormBackward", { gradient, x, params, centre: "none" });
}

function norm(operation: string, x: Tensor, params: NormParams, centre: Centre): Tensor {
  const length = rowLength(operation, x, params);
  const values = x.toNumbers();
  const gain = params.gain.toNumbers();
  const bias = params.bias?.toNumbers() ?? new Float64Array(length);
  for (let start = 0; start < values.length; start += length) {
    normalise(values, { start, length, centre, epsilon: params.epsilon });
    for (let i = 0; i < length; i++) {
      values[start + i] = (values[start + i] as number) * (gain[i] as number) + (bias[i] as number);
    }
  }
  return tensorOf(values, x);
}

function normBackward(
  operation: string,
  o: {
    readonly gradient: Tensor;
    readonly x: Tensor;
    readonly params: NormParams;
    readonly centre: Centre;
  },
): NormGradients {
  const { gradient, x, params, centre } = o;
  const length = rowLength(operation, x, params);
  requireShape(operation, gradient, { shape: x.shape, what: "gradient" });
  const g = gradient.toNumbers();
  const n = x.toNumbers();
  const gain = params.gain.toNumbers();
  const terms = new Float64Array(n.length);
  const input = new Float64Array(n.length);
  for (let start = 0; start < n.length; start += length) {
    const inverseRoot = normalise(n, { start, length, centre, epsilon: params.epsilon });
    let total = 0;
    let dot = 0;
    for (let i = 0; i < length; i++) {
      const at = start + i;
      const h = (g[at] as number) * (gain[i] as number);
      terms[at] = (g[at] as number) * (n[at] as number);
      input[at] = h;
      total += h;
      dot += h * (n[at] as number);
    }
    const mean = centre === "mean" ? total / length : 0;
    const along = dot / length;
    for (let at = start; at < start + length; at++) {
      input[at] = inverseRoot * ((input[at] as number) - mean - (n[at] as number) * along);
    }
  }
  return {
    input: tensorOf(input, x),
    gainTerms: tensorOf(terms, { dtype: "f64", shape: x.shape }),
  };
}

/** Normalises one row where it is and gives 1 / sqrt(variance + epsilon). */
function normalise(
  values: Float64Array,
  o: {
    readonly start: number;
    readonly length: number;
    readonly centre: Centre;
    readonly epsilon: number | undefined;
  },
): number {
  const { start, length, centre, epsilon = 1e-5 } = o;
  const end = start + length;
  let total = 0;
  if (centre === "mean") for (let i = start; i < end; i++) total += values[i] as number;
  const mean = total / length;
  let squares = 0;
  for (let i = start; i < end; i++) {
    const difference = (values[i] as number) - mean;
    values[i] = difference;
    squares += difference * difference;
  }
  const inverseRoot = 1 / Math.sqrt(squares / length + epsilon);
  for (let i = start; i < end; i++) values[i] = (values[i] as number) * inverseRoot;
  return inverseRoot;
}

function rowLength(operation: string, x: Tensor, { gain, bias }: NormParams): number {
  requireFloat(operation, x);
  const length = x.shape.at(-1);
  if (length === undefined || length === 0) throw shapeError(operation, "there is nothing to norm");
  for (const [what, param] of Object.entries({ gain, bias })) {
    if (param === undefined) continue;
    requireSameDType(operation, x, param);
    requireShape(operation, param, { shape: [length], what });
  }
  return length;
}
