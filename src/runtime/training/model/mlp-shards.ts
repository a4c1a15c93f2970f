import type { Tensor } from "../../tensor/index.ts";
import { type Activation, activations } from "../../tensor/nn/activation.ts";
import type { MlpConfig, Params } from "../../tensor/nn/index.ts";
import { tensorNamed } from "../../tensor/nn/layer.ts";
import {
  type LinearSplit,
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

/**
 * A perceptron over tensor-parallel ranks, layers as `mlpLayers` has them: in pairs, the first by
 * columns and the second by rows, so that a pair costs one sum forward and one back. A last layer
 * without a partner is whole.
 */
export function mlpShards(config: MlpConfig): readonly ShardLayer[] {
  const { activation = "gelu", dtype = "f32" } = config;
  const widths = [config.inputs, ...config.hidden, config.outputs];
  const count = widths.length - 1;
  return widths.slice(1).map((outputs, index) => {
    const linear: ParallelLinear = {
      name: `layers.${index}`,
      inputs: widths[index] as number,
      outputs,
      bias: true,
      dtype,
      split: splitOf(index, count),
    };
    return new MlpShard(linear, index < count - 1 ? activation : undefined, index === 0);
  });
}

function splitOf(index: number, count: number): LinearSplit {
  if (index % 2 === 1) return "row";
  return index === count - 1 ? "whole" : "column";
}

class MlpShard implements ShardLayer {
  readonly name: string;
  readonly params: readonly ShardParam[];
  readonly #linear: ParallelLinear;
  readonly #activation: Activation | undefined;
  readonly #isFirst: boolean;

  constructor(linear: ParallelLinear, activation: Activation | undefined, isFirst: boolean) {
    this.name = linear.name;
    this.params = parallelLinearParams(linear);
    this.#linear = linear;
    this.#activation = activation;
    this.#isFirst = isFirst;
  }

  async forward(context: LayerContext, params: Params, input: Tensor): Promise<ShardForward> {
    const sums = await parallelForward(this.#linear, context, { params, x: input });
    const activation = this.#activation;
    const output = activation === undefined ? sums : activations[activation].forward(sums);
    return { output, saved: { input, sums } };
  }

  backward<G>(
    context: LayerContext,
    { params, saved, gradient, rule }: ShardBackwardInputs<G>,
  ): Promise<ShardBackward<G>> {
    const activation = this.#activation;
    const ofSums =
      activation === undefined
        ? gradient
        : activations[activation].backward(gradient, tensorNamed(saved, "sums"));
    return parallelBackward(this.#linear, context, {
      params,
      input: tensorNamed(saved, "input"),
      gradient: ofSums,
      rule,
      wantsInput: !this.#isFirst,
    });
  }
}
