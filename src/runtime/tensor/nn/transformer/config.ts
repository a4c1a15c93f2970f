import assert from "node:assert/strict";
import type { DType } from "../../dtype/index.ts";
import type { Accumulate } from "../../ops/index.ts";
import type { Activation } from "../activation.ts";

export interface TransformerConfig {
  /** Kinds of tokens. */
  readonly vocabulary: number;
  /** The longest sequence. */
  readonly positions: number;
  /** Width of the residual stream; a multiple of `heads`. */
  readonly width: number;
  readonly heads: number;
  readonly blocks: number;
  /** Width inside the perceptron of a block. Default 4 times the width. */
  readonly hidden?: number;
  /** Default layer. */
  readonly norm?: "layer" | "rms";
  /** Default gelu. */
  readonly activation?: Activation;
  /** The logits use the table of token embeddings. Default true. */
  readonly tied?: boolean;
  /** Affine maps and norms have biases. Default true. */
  readonly bias?: boolean;
  /** Default f32. */
  readonly dtype?: DType;
  /** How activations' products sum, see `matmul`. Default `chain`. */
  readonly accumulate?: Accumulate;
}

/** The configuration with every default filled in. */
export function resolveTransformer(config: TransformerConfig): Required<TransformerConfig> {
  const { width, heads } = config;
  assert(width % heads === 0, "the width of a transformer is a multiple of its heads");
  return {
    hidden: 4 * width,
    norm: "layer",
    activation: "gelu",
    tied: true,
    bias: true,
    dtype: "f32",
    accumulate: "chain",
    ...config,
  };
}
