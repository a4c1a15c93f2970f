import { nn, ops, type Tensor } from "../../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine.ts";
import { joinHeads, splitHeads } from "./heads.ts";
import { hostActivations } from "./host-activations.ts";

const reductions = { sum: ops.sum, max: ops.max, min: ops.min };

/** What the engine `cpu` computes with the runtime's own kernels, apart from those that can be altered. */
export const cpuOperations: Pick<
  DlEngine<Tensor>,
  | "add"
  | "scale"
  | "activationBackward"
  | "normBackward"
  | "softmax"
  | "crossEntropy"
  | "attention"
  | "attentionBackward"
  | "splitHeads"
  | "joinHeads"
  | "embedding"
  | "embeddingBackward"
  | "sumRows"
  | "reduce"
  | "adamW"
  | "sgdMomentum"
> = {
  add: (a, b) => ops.add(a, b),
  scale: (x, factor) => ops.scale(x, factor),
  activationBackward: (kind, gradient, x) => hostActivations[kind].backward(gradient, x),
  normBackward: (kind, { gradient, x, gain }) => {
    const backward = kind === "layer" ? ops.layerNormBackward : ops.rmsNormBackward;
    const { input, gainTerms } = backward(gradient, x, { gain });
    return { input, gain: ops.sum(gainTerms, { dims: 0 }).to(gain.dtype) };
  },
  softmax: (x) => ops.softmax(x),
  crossEntropy: (logits, targets) => ({
    loss: ops.crossEntropy(logits, targets).loss,
    gradient: ops.crossEntropyBackward(logits, targets),
  }),
  attention: (operands) => {
    const { output, weights } = ops.causalAttention(operands);
    return { output, saved: weights };
  },
  attentionBackward: (gradient, operands, { saved }) =>
    ops.causalAttentionBackward(gradient, { ...operands, weights: saved }),
  splitHeads,
  joinHeads,
  embedding: (table, indices) => ops.embedding(table, indices),
  embeddingBackward: (gradient, indices, rows) =>
    ops.embeddingBackward(gradient, { indices, rows }),
  sumRows: (x) => ops.sum(x, { dims: 0 }),
  reduce: (kind, x) => reductions[kind](x).item(),
  adamW: ({ values, mean, square }, gradient, { step, learningRate, weightDecay }) => {
    const state = { step: step - 1, means: { x: mean }, squares: { x: square } };
    const inputs = { params: { x: values }, gradients: { x: gradient }, state };
    const next = nn.adamWStep(inputs, { learningRate, weightDecay });
    return {
      values: next.params["x"] ?? values,
      mean: next.state.means["x"] ?? mean,
      square: next.state.squares["x"] ?? square,
    };
  },
  sgdMomentum: ({ values, velocity }, gradient, { learningRate, momentum }) => {
    const inputs = { params: { x: values }, gradients: { x: gradient }, state: { x: velocity } };
    const next = nn.sgdStep(inputs, { learningRate, momentum });
    return { values: next.params["x"] ?? values, velocity: next.state["x"] ?? velocity };
  },
};
