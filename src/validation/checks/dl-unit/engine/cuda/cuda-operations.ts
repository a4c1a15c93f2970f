import * as ops from "../../../../../runtime/cuda/ops/index.ts";
import type { CudaTensor } from "../../../../../runtime/cuda/tensor/index.ts";
import type { DlEngine } from "../engine.ts";
import type { TensorScopes } from "./tensor-scopes.ts";

/** The operations of an engine that compute. */
export type CudaOperations = Pick<
  DlEngine<CudaTensor>,
  | "matmul"
  | "add"
  | "scale"
  | "activation"
  | "activationBackward"
  | "norm"
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
>;

const reductions = { sum: ops.sum, max: ops.max, min: ops.min };
const activations = {
  gelu: { forward: ops.gelu, backward: ops.geluBackward },
  silu: { forward: ops.silu, backward: ops.siluBackward },
  relu: { forward: ops.relu, backward: ops.reluBackward },
};

/** Targets and tokens are made by the cases themselves. */
const trusted = { trusted: true } as const;

/** What stands between an engine and the runtime's operations. */
export interface OperationHooks {
  readonly scopes: TensorScopes;
  /** Gives an operand to a kernel. */
  readonly lend: (tensor: CudaTensor) => CudaTensor;
  /** Takes a result back; the innermost scope owns it then. */
  readonly take: (tensor: CudaTensor) => CudaTensor;
  readonly matmul: DlEngine<CudaTensor>["matmul"];
}

/** The runtime's operations on one GPU. */
export function cudaOperations(hooks: OperationHooks): CudaOperations {
  const { scopes, lend } = hooks;
  const take = (tensor: CudaTensor) => scopes.track(hooks.take(tensor));
  const own = (tensor: CudaTensor) => scopes.track(tensor);
  return {
    matmul: (a, b, options) => own(hooks.matmul(a, b, options)),
    add: (a, b) => take(ops.add(lend(a), lend(b))),
    scale: (x, factor) => take(ops.scale(lend(x), factor)),
    activation: (kind, x) => take(activations[kind].forward(lend(x))),
    activationBackward: (kind, gradient, x) =>
      take(activations[kind].backward(lend(gradient), lend(x))),
    norm: (kind, x, gain) =>
      take((kind === "layer" ? ops.layerNorm : ops.rmsNorm)(lend(x), { gain: lend(gain) })),
    normBackward: (kind, { gradient, x, gain }) => {
      const backward = kind === "layer" ? ops.layerNormBackward : ops.rmsNormBackward;
      const made = backward(lend(gradient), lend(x), { gain: lend(gain) });
      take(made.bias);
      return { input: take(made.input), gain: take(made.gain) };
    },
    softmax: (x) => take(ops.softmax(lend(x))),
    crossEntropy: (logits, targets) => {
      const { loss, rowLosses } = ops.crossEntropy(lend(logits), lend(targets), trusted);
      take(rowLosses);
      return {
        loss,
        gradient: take(ops.crossEntropyBackward(lend(logits), lend(targets), trusted)),
      };
    },
    attention: ({ q, k, v }) => {
      const { output, logSums } = ops.attention({ q: lend(q), k: lend(k), v: lend(v) });
      return { output: take(output), saved: take(logSums) };
    },
    attentionBackward: (gradient, { q, k, v }, { output, saved }) => {
      const inputs = { q: lend(q), k: lend(k), v: lend(v) };
      const forward = { output: lend(output), logSums: lend(saved) };
      const made = ops.attentionBackward(lend(gradient), { ...inputs, ...forward });
      return { q: take(made.q), k: take(made.k), v: take(made.v) };
    },
    splitHeads: (x, { batch, heads }) => {
      const [rows = 0, columns = 0] = x.shape;
      const view = own(x.reshape([batch, rows / batch, heads, columns / heads]));
      return own(view.permute([0, 2, 1, 3]));
    },
    joinHeads: (x) => {
      const [batch = 0, heads = 0, positions = 0, width = 0] = x.shape;
      return own(own(x.permute([0, 2, 1, 3])).reshape([batch * positions, heads * width]));
    },
    embedding: (table, indices) => take(ops.embedding(lend(table), lend(indices), trusted)),
    embeddingBackward: (gradient, indices, rows) =>
      take(ops.embeddingBackward(lend(gradient), { indices: lend(indices), rows, ...trusted })),
    sumRows: (x) => take(ops.sum(lend(x), { dims: 0 })),
    reduce: (kind, x) => take(reductions[kind](lend(x))).item(),
    ...optimizerSteps(hooks),
  };
}

function optimizerSteps(hooks: OperationHooks): Pick<CudaOperations, "adamW" | "sgdMomentum"> {
  const { scopes, lend } = hooks;
  const take = (tensor: CudaTensor) => scopes.track(hooks.take(tensor));
  return {
    adamW: (parameter, gradient, { step, learningRate, weightDecay }) => {
      const [values, mean, square] = [parameter.values, parameter.mean, parameter.square].map(lend);
      if (values === undefined) throw new Error("a parameter has values");
      const options = { step, learningRate, weightDecay };
      const next = ops.adamWStep({ values, mean, square }, lend(gradient), options);
      const made = { values: take(next.values), mean: take(next.mean ?? values) };
      return { ...made, square: take(next.square ?? values) };
    },
    sgdMomentum: ({ values, velocity }, gradient, { learningRate, momentum }) => {
      const state = { values: lend(values), velocity: lend(velocity) };
      const next = ops.sgdStep(state, lend(gradient), { learningRate, momentum });
      return { values: take(next.values), velocity: take(next.velocity ?? next.values) };
    },
  };
}
