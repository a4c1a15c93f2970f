import type { AdamWParameter, DlEngine, EngineTensor } from "../../engine/engine.ts";
import { learning } from "../optimizer-settings.ts";
import { blockBackward, blockForward, type Gradients, named, type SavedBlock } from "./block.ts";
import type { ModelSize, Parameters } from "./parameters.ts";

/** What the model is trained on: the same in every step. */
export interface TrainingData<T> {
  /** [batch * positions] */
  readonly tokens: T;
  readonly targets: T;
}

/** One step of training: loss, gradients of everything, and AdamW. Frees the old parameters' rest. */
export function trainStep<T extends EngineTensor>(
  engine: DlEngine<T>,
  given: {
    readonly size: ModelSize;
    readonly parameters: Parameters<T>;
    readonly data: TrainingData<T>;
    readonly step: number;
  },
): { readonly loss: number; readonly parameters: Parameters<T> } {
  const { size, parameters, step } = given;
  return engine.scope((keep) => {
    const { loss, gradients } = lossAndGradients(engine, given);
    // A step moves what comes out of a layer by its rate times the width.
    const learningRate = Math.min(1e-3, 0.5 / size.width);
    const setting = { step, ...learning, learningRate };
    const next = Object.entries(parameters).map(([name, parameter]) => {
      const gradient = gradients[name];
      if (gradient === undefined)
        throw new Error(`${name} has no gradient (${size.blocks} blocks)`);
      const { values, mean, square } = engine.adamW(parameter, gradient, setting);
      const kept: AdamWParameter<T> = {
        values: keep(values),
        mean: keep(mean),
        square: keep(square),
      };
      return [name, kept] as const;
    });
    return { loss, parameters: Object.fromEntries(next) };
  });
}

function lossAndGradients<T extends EngineTensor>(
  engine: DlEngine<T>,
  given: {
    readonly size: ModelSize;
    readonly parameters: Parameters<T>;
    readonly data: TrainingData<T>;
  },
): { readonly loss: number; readonly gradients: Gradients<T> } {
  const { size, parameters, data } = given;
  const gradients: Gradients<T> = {};
  const saved: SavedBlock<T>[] = [];
  let x = engine.embedding(named(parameters, "table"), data.tokens);
  for (let block = 0; block < size.blocks; block++) {
    const forward = blockForward({ engine, size, parameters, block }, x);
    saved.push(forward.saved);
    x = forward.output;
  }
  const gain = named(parameters, "norm");
  const normed = engine.norm("rms", x, gain);
  const logits = engine.matmul(normed, named(parameters, "head"));
  const { loss, gradient: ofLogits } = engine.crossEntropy(logits, data.targets);
  gradients["head"] = engine.matmul(normed, ofLogits, { transposeA: true });
  const ofNormed = engine.matmul(ofLogits, named(parameters, "head"), { transposeB: true });
  const last = engine.normBackward("rms", { gradient: ofNormed, x, gain });
  gradients["norm"] = last.gain;
  let gradient = last.input;
  for (let block = size.blocks - 1; block >= 0; block--) {
    const own = saved[block];
    if (own === undefined) throw new Error(`block ${block} kept nothing`);
    gradient = blockBackward(
      { engine, size, parameters, block },
      { saved: own, gradient, gradients },
    );
  }
  gradients["table"] = engine.embeddingBackward(gradient, data.tokens, size.vocabulary);
  return { loss, gradients };
}
