import {
  type AttentionInputs,
  type AttentionOptions,
  add,
  causalAttention,
  causalAttentionBackward,
} from "../../ops/index.ts";
import type { Tensor } from "../../tensor.ts";
import { type Activation, activations } from "../activation.ts";
import type { GradientRule } from "../gradient-rule.ts";
import type {
  Layer,
  LayerBackward,
  LayerBackwardInputs,
  LayerForward,
  ParamSpec,
  Params,
  Saved,
} from "../layer.ts";
import { tensorNamed } from "../layer.ts";
import { type Linear, linearBackward, linearForward, linearParams } from "../linear.ts";
import type { TransformerConfig } from "./config.ts";
import { columnsOf, joinColumns, joinHeads, splitHeads } from "./heads.ts";
import { type Norm, normBackward, normForward, normParams } from "./norm.ts";

/**
 * One block: x + attention(norm(x)), then that + perceptron(norm(that)). The columns of
 * `attention.input.weight` are queries, then keys, then values, each head by head.
 */
export class BlockLayer implements Layer {
  readonly name: string;
  readonly params: readonly ParamSpec[];
  readonly #heads: number;
  readonly #activation: Activation;
  readonly #attention: AttentionOptions;
  readonly #norm1: Norm;
  readonly #norm2: Norm;
  readonly #qkv: Linear;
  readonly #projection: Linear;
  readonly #up: Linear;
  readonly #down: Linear;

  constructor(index: number, config: Required<TransformerConfig>) {
    const { width, hidden, bias, dtype, accumulate } = config;
    const name = `blocks.${index}`;
    const norm = (part: string): Norm => {
      return { name: `${name}.${part}.norm`, kind: config.norm, width, bias, dtype };
    };
    const linear = (part: string, inputs: number, outputs: number): Linear => {
      return { name: `${name}.${part}`, inputs, outputs, bias, dtype, accumulate };
    };
    this.name = name;
    this.#heads = config.heads;
    this.#activation = config.activation;
    this.#attention = { accumulate };
    this.#norm1 = norm("attention");
    this.#norm2 = norm("mlp");
    this.#qkv = linear("attention.input", width, 3 * width);
    this.#projection = linear("attention.output", width, width);
    this.#up = linear("mlp.up", width, hidden);
    this.#down = linear("mlp.down", hidden, width);
    this.params = [
      ...[this.#norm1, this.#norm2].flatMap(normParams),
      ...[this.#qkv, this.#projection, this.#up, this.#down].flatMap(linearParams),
    ];
  }

  forward(params: Params, input: Tensor): LayerForward {
    const normed1 = normForward(this.#norm1, params, input);
    const qkv = linearForward(this.#qkv, params, normed1);
    const { output: seen, weights } = causalAttention(this.#split(qkv), this.#attention);
    const attended = joinHeads(seen);
    const middle = add(input, linearForward(this.#projection, params, attended));
    const normed2 = normForward(this.#norm2, params, middle);
    const sums = linearForward(this.#up, params, normed2);
    const active = activations[this.#activation].forward(sums);
    const output = add(middle, linearForward(this.#down, params, active));
    const saved = { input, normed1, qkv, weights, attended, middle, normed2, sums, active };
    return { output, saved };
  }

  backward<G>({ params, saved, gradient, rule }: LayerBackwardInputs<G>): LayerBackward<G> {
    const mlp = this.#mlpBackward({ params, saved, gradient, rule });
    const attention = this.#attentionBackward({ params, saved, gradient: mlp.input, rule });
    return { input: attention.input, gradients: { ...mlp.gradients, ...attention.gradients } };
  }

  #mlpBackward<G>({ params, saved, gradient, rule }: LayerBackwardInputs<G>): HalfBackward<G> {
    const active = tensorNamed(saved, "active");
    const down = linearBackward(this.#down, { params, input: active, gradient, rule });
    const ofSums = activations[this.#activation].backward(down.input, tensorNamed(saved, "sums"));
    const normed2 = tensorNamed(saved, "normed2");
    const up = linearBackward(this.#up, { params, input: normed2, gradient: ofSums, rule });
    return this.#rejoin(this.#norm2, { params, input: "middle", gradient, rule, saved }, [
      down,
      up,
    ]);
  }

  #attentionBackward<G>(inputs: LayerBackwardInputs<G>): HalfBackward<G> {
    const { params, saved, gradient, rule } = inputs;
    const attended = tensorNamed(saved, "attended");
    const projection = linearBackward(this.#projection, {
      params,
      input: attended,
      gradient,
      rule,
    });
    const { q, k, v } = causalAttentionBackward(
      splitHeads(projection.input, this.#heads),
      { ...this.#split(tensorNamed(saved, "qkv")), weights: tensorNamed(saved, "weights") },
      this.#attention,
    );
    const ofQkv = joinColumns([joinHeads(q), joinHeads(k), joinHeads(v)]);
    const normed1 = tensorNamed(saved, "normed1");
    const qkv = linearBackward(this.#qkv, { params, input: normed1, gradient: ofQkv, rule });
    return this.#rejoin(this.#norm1, { params, input: "input", gradient, rule, saved }, [
      projection,
      qkv,
    ]);
  }

  /** Through the norm of a half, whose maps gave `parts`, and past it, as x went both ways. */
  #rejoin<G>(
    norm: Norm,
    o: {
      readonly params: Params;
      readonly saved: Saved;
      /** What was kept of x. */
      readonly input: string;
      readonly gradient: Tensor;
      readonly rule: GradientRule<G>;
    },
    parts: readonly [HalfBackward<G>, HalfBackward<G>],
  ): HalfBackward<G> {
    const [first, last] = parts;
    const normed = normBackward(norm, {
      params: o.params,
      input: tensorNamed(o.saved, o.input),
      gradient: last.input,
      rule: o.rule,
    });
    return {
      input: add(o.gradient, normed.input),
      gradients: { ...first.gradients, ...last.gradients, ...normed.gradients },
    };
  }

  #split(qkv: Tensor): AttentionInputs {
    const part = (index: number): Tensor =>
      splitHeads(columnsOf(qkv, { index, count: 3 }), this.#heads);
    return { q: part(0), k: part(1), v: part(2) };
  }
}

interface HalfBackward<G> {
  readonly input: Tensor;
  readonly gradients: Readonly<Record<string, G>>;
}
