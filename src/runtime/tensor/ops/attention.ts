import { formatShape, shapeError } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { scale as scaled } from "./arithmetic.ts";
import { type Accumulate, matmul } from "./matmul.ts";
import { requireFloat, requireShape, tensorOf } from "./operands.ts";
import { softmaxBackward, softmaxRow } from "./softmax.ts";

/** Queries, keys and values, each [..., positions, width]. */
export interface AttentionInputs {
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
}

export interface AttentionOptions {
  /** How the products sum, see `matmul`. Default `chain`. */
  readonly accumulate?: Accumulate;
}

export interface Attention {
  readonly output: Tensor;
  /** [..., positions, positions]: how much each position looks at each. The backward pass needs it. */
  readonly weights: Tensor;
}

/**
 * Causal attention: softmax(q kᵀ / sqrt(width)) v, where a position sees itself and those before.
 * Rounded to the dtype after q kᵀ, after the softmax (in f64, with the scale) and after the last
 * product. What comes later has weight +0 exactly and is never read in the softmax, so with finite
 * values a position's bits do not change when later positions change or are cut off, nor with
 * anything else in the batch. Throws E_SHAPE and E_DTYPE.
 */
export function causalAttention(
  inputs: AttentionInputs,
  options: AttentionOptions = {},
): Attention {
  const { q, k, v } = inputs;
  requireFloat("causalAttention", q);
  requireShape("causalAttention", k, { shape: q.shape, what: "tensor of keys" });
  requireShape("causalAttention", v, { shape: q.shape, what: "tensor of values" });
  const weights = causalSoftmax(matmul(q, k.transpose(), options), scaleOf(q));
  return { output: matmul(weights, v, options), weights };
}

/**
 * The gradients of `causalAttention`: of v as weightsᵀ g, of q and k through `softmaxBackward` times
 * the scale, each intermediate rounded to the dtype, products as `matmul`.
 */
export function causalAttentionBackward(
  gradient: Tensor,
  { q, k, v, weights }: AttentionInputs & Pick<Attention, "weights">,
  options: AttentionOptions = {},
): AttentionInputs {
  const ofWeights = matmul(gradient, v.transpose(), options);
  // Where the weight is 0 for being later, y (g - sum) is 0 too: no mask is needed.
  const ofScores = scaled(softmaxBackward(ofWeights, weights), scaleOf(q));
  return {
    q: matmul(ofScores, k, options),
    k: matmul(ofScores.transpose(), q, options),
    v: matmul(weights.transpose(), gradient, options),
  };
}

function scaleOf({ shape }: Tensor): number {
  const width = shape.at(-1) ?? 0;
  if (width === 0) throw shapeError("causalAttention", `${formatShape(shape)} has no width`);
  return 1 / Math.sqrt(width);
}

function causalSoftmax(scores: Tensor, scale: number): Tensor {
  const positions = scores.shape.at(-1) ?? 0;
  const values = scores.toNumbers();
  const out = new Float64Array(values.length);
  for (let start = 0, row = 0; start < values.length; start += positions, row++) {
    softmaxRow(values, { start, length: (row % positions) + 1, scale }, out);
  }
  return tensorOf(out, scores);
}
