import { type Accumulate, matmul } from "../../ops/index.ts";
import type { Tensor } from "../../tensor.ts";
import type {
  Layer,
  LayerBackward,
  LayerBackwardInputs,
  LayerForward,
  ParamSpec,
  Params,
} from "../layer.ts";
import { tensorNamed } from "../layer.ts";
import type { TransformerConfig } from "./config.ts";
import { tokenTable } from "./embedding-layer.ts";
import { type Norm, normBackward, normForward, normParams } from "./norm.ts";

/**
 * The last norm and the logits [batch, positions, vocabulary]: the product with a table [vocabulary,
 * width], which is that of the embedding when tied.
 */
export class HeadLayer implements Layer {
  readonly name = "head";
  readonly params: readonly ParamSpec[];
  readonly #norm: Norm;
  readonly #table: string;
  readonly #accumulate: Accumulate;

  constructor({
    vocabulary,
    width,
    bias,
    dtype,
    accumulate,
    ...config
  }: Required<TransformerConfig>) {
    this.#norm = { name: "head.norm", kind: config.norm, width, bias, dtype };
    this.#table = config.tied ? tokenTable : "head.table";
    this.#accumulate = accumulate;
    const init = { kind: "normal", deviation: 1 / Math.sqrt(width) } as const;
    this.params = [
      ...normParams(this.#norm),
      { name: this.#table, shape: [vocabulary, width], dtype, init },
    ];
  }

  forward(params: Params, input: Tensor): LayerForward {
    const normed = normForward(this.#norm, params, input);
    const table = tensorNamed(params, this.#table);
    const output = matmul(normed, table.transpose(), { accumulate: this.#accumulate });
    return { output, saved: { input, normed } };
  }

  backward<G>({ params, saved, gradient, rule }: LayerBackwardInputs<G>): LayerBackward<G> {
    const table = tensorNamed(params, this.#table);
    const ofNormed = matmul(gradient, table, { accumulate: this.#accumulate });
    const norm = normBackward(this.#norm, {
      params,
      input: tensorNamed(saved, "input"),
      gradient: ofNormed,
      rule,
    });
    const ofTable = rule.weight(gradient, tensorNamed(saved, "normed"));
    return { input: norm.input, gradients: { ...norm.gradients, [this.#table]: ofTable } };
  }
}
