import type { Tensor } from "../../tensor/index.ts";
import { type Activation, activations } from "../../tensor/nn/activation.ts";
import type { GradientRule, Params, Saved } from "../../tensor/nn/index.ts";
import { tensorNamed } from "../../tensor/nn/layer.ts";
import type { TransformerConfig } from "../../tensor/nn/transformer/config.ts";
import {
  columnsOf,
  joinColumns,
  joinHeads,
  splitHeads,
} from "../../tensor/nn/transformer/heads.ts";
import {
  type Norm,
  normBackward,
  normForward,
  normParams,
} from "../../tensor/nn/transformer/norm.ts";
import {
  type AttentionInputs,
  add,
  causalAttention,
  causalAttentionBackward,
} from "../../tensor/ops/index.ts";
import {
  type ParallelLinear,
  parallelBackward,
  parallelForward,
  parallelLinearParams,
} from "./parallel-linear.ts";
import type {
  LayerContext,
  ShardBackward,
  ShardBackwardInputs,
  ShardForward,
  ShardLayer,
  ShardParam,
} from "./shard-layer.ts";

interface Half<G> {
  readonly input: Tensor;
  readonly gradients: Readonly<Record<string, G>>;
}

/**
 * One rank's part of a transformer block, see `BlockLayer`: some of the heads and some of the hidden
 * units, each way in by columns and each way out by rows. Norms are whole. Queries, keys and values
 * have a dimension of their own in `attention.input`, so that heads are split and not what they hold.
 */
export class BlockShard implements ShardLayer {
  readonly name: string;
  readonly params: readonly ShardParam[];
  readonly #heads: number;
  readonly #activation: Activation;
  readonly #norm1: Norm;
  readonly #norm2: Norm;
  readonly #qkv: ParallelLinear;
  readonly #projection: ParallelLinear;
  readonly #up: ParallelLinear;
  readonly #down: ParallelLinear;

  constructor(index: number, config: Required<TransformerConfig>) {
    const { width, hidden, bias, dtype } = config;
    this.name = `blocks.${index}`;
    const name = (part: string) => `${this.name}.${part}`;
    const norm = (part: string): Norm => {
      return { name: name(`${part}.norm`), kind: config.norm, width, bias, dtype };
    };
    const both = { bias, dtype };
    this.#heads = config.heads;
    this.#activation = config.activation;
    this.#norm1 = norm("attention");
    this.#norm2 = norm("mlp");
    this.#qkv = {
      ...both,
      name: name("attention.input"),
      inputs: width,
      outputs: [3, width],
      split: "column",
    };
    this.#projection = {
      ...both,
      name: name("attention.output"),
      inputs: width,
      outputs: width,
      split: "row",
    };
    this.#up = { ...both, name: name("mlp.up"), inputs: width, outputs: hidden, split: "column" };
    this.#down = { ...both, name: name("mlp.down"), inputs: hidden, outputs: width, split: "row" };
    const norms = [this.#norm1, this.#norm2].flatMap(normParams);
    const linears = [this.#qkv, this.#projection, this.#up, this.#down];
    this.params = [
      ...norms.map((param) => ({ name: param.name, shape: param.shape, dtype })),
      ...linears.flatMap(parallelLinearParams),
    ];
  }

  async forward(context: LayerContext, params: Params, input: Tensor): Promise<ShardForward> {
    const normed1 = normForward(this.#norm1, params, input);
    const qkv = await parallelForward(this.#qkv, context, { params, x: normed1 });
    const { output: seen, weights } = causalAttention(this.#split(context, qkv));
    const attended = joinHeads(seen);
    const projected = await parallelForward(this.#projection, context, { params, x: attended });
    const middle = add(input, projected);
    const normed2 = normForward(this.#norm2, params, middle);
    const sums = await parallelForward(this.#up, context, { params, x: normed2 });
    const active = activations[this.#activation].forward(sums);
    const down = await parallelForward(this.#down, context, { params, x: active });
    const saved = { input, normed1, qkv, weights, attended, middle, normed2, sums, active };
    return { output: add(middle, down), saved };
  }

  async backward<G>(
    context: LayerContext,
    inputs: ShardBackwardInputs<G>,
  ): Promise<ShardBackward<G>> {
    const mlp = await this.#mlpBackward(context, inputs);
    const attention = await this.#attentionBackward(context, { ...inputs, gradient: mlp.input });
    return { input: attention.input, gradients: { ...mlp.gradients, ...attention.gradients } };
  }

  async #mlpBackward<G>(context: LayerContext, inputs: ShardBackwardInputs<G>): Promise<Half<G>> {
    const { params, saved, gradient, rule } = inputs;
    const active = tensorNamed(saved, "active");
    const down = await parallelBackward(this.#down, context, {
      params,
      input: active,
      gradient,
      rule,
    });
    const ofSums = activations[this.#activation].backward(
      down.input as Tensor,
      tensorNamed(saved, "sums"),
    );
    const input = tensorNamed(saved, "normed2");
    const up = await parallelBackward(this.#up, context, { params, input, gradient: ofSums, rule });
    return rejoin(this.#norm2, inputs, {
      x: tensorNamed(saved, "middle"),
      ofNormed: up.input as Tensor,
      gradients: { ...down.gradients, ...up.gradients },
    });
  }

  async #attentionBackward<G>(
    context: LayerContext,
    inputs: ShardBackwardInputs<G>,
  ): Promise<Half<G>> {
    const { params, saved, gradient, rule } = inputs;
    const projection = await parallelBackward(this.#projection, context, {
      params,
      input: tensorNamed(saved, "attended"),
      gradient,
      rule,
    });
    const { q, k, v } = causalAttentionBackward(
      splitHeads(projection.input as Tensor, this.#headsOf(context)),
      {
        ...this.#split(context, tensorNamed(saved, "qkv")),
        weights: tensorNamed(saved, "weights"),
      },
    );
    const qkv = await parallelBackward(this.#qkv, context, {
      params,
      input: tensorNamed(saved, "normed1"),
      gradient: joinColumns([joinHeads(q), joinHeads(k), joinHeads(v)]),
      rule,
    });
    return rejoin(this.#norm1, inputs, {
      x: tensorNamed(saved, "input"),
      ofNormed: qkv.input as Tensor,
      gradients: { ...projection.gradients, ...qkv.gradients },
    });
  }

  #split(context: LayerContext, qkv: Tensor): AttentionInputs {
    const part = (index: number): Tensor =>
      splitHeads(columnsOf(qkv, { index, count: 3 }), this.#headsOf(context));
    return { q: part(0), k: part(1), v: part(2) };
  }

  #headsOf({ tp }: LayerContext): number {
    return this.#heads / tp;
  }
}

/** Back through the norm of a half and past it, as x went both ways. */
function rejoin<G>(
  norm: Norm,
  {
    params,
    gradient,
    rule,
  }: { params: Params; saved: Saved; gradient: Tensor; rule: GradientRule<G> },
  half: {
    readonly x: Tensor;
    readonly ofNormed: Tensor;
    readonly gradients: Readonly<Record<string, G>>;
  },
): Half<G> {
  const normed = normBackward(norm, { params, input: half.x, gradient: half.ofNormed, rule });
  return {
    input: add(gradient, normed.input),
    gradients: { ...half.gradients, ...normed.gradients },
  };
}
