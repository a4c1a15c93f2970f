import { add, embedding } from "../../ops/index.ts";
import { formatShape, shapeError } from "../../shape.ts";
import { Tensor } from "../../tensor.ts";
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

export const tokenTable = "embedding.tokens";
const positionTable = "embedding.positions";

/** Tokens [batch, positions] to vectors [batch, positions, width]: by token plus by position. */
export class EmbeddingLayer implements Layer {
  readonly name = "embedding";
  readonly params: readonly ParamSpec[];
  readonly #config: Required<TransformerConfig>;

  constructor(config: Required<TransformerConfig>) {
    const { vocabulary, positions, width, dtype } = config;
    // Tied to the head, the table makes logits of about 1 from normalised vectors this way.
    const init = { kind: "normal", deviation: 1 / Math.sqrt(width) } as const;
    this.#config = config;
    this.params = [
      { name: tokenTable, shape: [vocabulary, width], dtype, init },
      { name: positionTable, shape: [positions, width], dtype, init },
    ];
  }

  forward(params: Params, input: Tensor): LayerForward {
    const [, length] = input.shape;
    if (length === undefined || input.shape.length !== 2 || length > this.#config.positions) {
      throw shapeError(
        "transformer",
        `tokens are [batch, up to ${this.#config.positions}], not ${formatShape(input.shape)}`,
      );
    }
    const words = embedding(tensorNamed(params, tokenTable), input);
    const places = tensorNamed(params, positionTable).slice([{ stop: length }]);
    return { output: add(words, places), saved: { tokens: input } };
  }

  backward<G>({ saved, gradient, rule }: LayerBackwardInputs<G>): LayerBackward<G> {
    const tokens = tensorNamed(saved, "tokens");
    const { vocabulary, positions } = this.#config;
    return {
      input: undefined,
      gradients: {
        [tokenTable]: rule.lookup(gradient, { indices: tokens, rows: vocabulary }),
        [positionTable]: rule.lookup(gradient, { indices: placesOf(tokens), rows: positions }),
      },
    };
  }
}

/** The position of every token, in the shape of the tokens. */
function placesOf({ shape }: Tensor): Tensor {
  const length = shape[1] as number;
  const places = Int32Array.from({ length }, (_, place) => place);
  return Tensor.over(places, { dtype: "i32", shape: [length] }).expand(shape);
}
