import type { DType } from "../dtype/index.ts";
import type { Accumulate } from "../ops/index.ts";
import type { Tensor } from "../tensor.ts";
import { type Activation, activations } from "./activation.ts";
import type { Layer, LayerBackward, LayerBackwardInputs, LayerForward, Params } from "./layer.ts";
import { tensorNamed } from "./layer.ts";
import { type Linear, linearBackward, linearForward, linearParams } from "./linear.ts";

export interface MlpConfig {
  /** Features of an example. */
  readonly inputs: number;
  /** Widths of the layers between. */
  readonly hidden: readonly number[];
  /** Classes. */
  readonly outputs: number;
  /** Default gelu. */
  readonly activation?: Activation;
  /** Default f32. */
  readonly dtype?: DType;
  /** How activations' products sum, see `matmul`. Default `chain`. */
  readonly accumulate?: Accumulate;
}

/**
 * A perceptron: an affine map per layer, the activation after each but the last, logits at the end.
 * Layer i has `layers.i.weight` [inputs, outputs] and `layers.i.bias`.
 */
export function mlpLayers(config: MlpConfig): readonly Layer[] {
  const { activation = "gelu", dtype = "f32", accumulate = "chain" } = config;
  const widths = [config.inputs, ...config.hidden, config.outputs];
  return widths.slice(1).map((outputs, index) => {
    const inputs = widths[index] as number;
    const name = `layers.${index}`;
    const linear: Linear = { name, inputs, outputs, bias: true, dtype, accumulate };
    return new MlpLayer(linear, index < config.hidden.length ? activation : undefined);
  });
}

class MlpLayer implements Layer {
  readonly name: string;
  readonly params;
  readonly #linear: Linear;
  readonly #activation: Activation | undefined;

  constructor(linear: Linear, activation: Activation | undefined) {
    this.name = linear.name;
    this.params = linearParams(linear);
    this.#linear = linear;
    this.#activation = activation;
  }

  forward(params: Params, input: Tensor): LayerForward {
    const sums = linearForward(this.#linear, params, input);
    const activation = this.#activation;
    const output = activation === undefined ? sums : activations[activation].forward(sums);
    return { output, saved: { input, sums } };
  }

  backward<G>({ params, saved, gradient, rule }: LayerBackwardInputs<G>): LayerBackward<G> {
    const sums = tensorNamed(saved, "sums");
    const activation = this.#activation;
    const ofSums =
      activation === undefined ? gradient : activations[activation].backward(gradient, sums);
    const input = tensorNamed(saved, "input");
    return linearBackward(this.#linear, { params, input, gradient: ofSums, rule });
  }
}
