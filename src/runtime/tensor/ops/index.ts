/**
 * Operations on tensors as pure functions. Every result is rounded once to its dtype (more often
 * only where a function says so), sums have a fixed order, and functions beyond + - * / and the
 * square root are our own: the bits are the same on every machine and every Node version. NaN is
 * stored as the one quiet NaN without payload. Nothing is converted silently: operands have the same
 * dtype, or E_DTYPE is thrown.
 *
 * No result depends on its neighbours in a batch: a row computed alone has the bits it has in any
 * batch. Sums over a batch (gradients of weights) depend on how the batch is cut only in `chain`
 * accumulation; `ExactTensor` is the way to have them equal under every cut.
 */
export { gelu, geluBackward, relu, reluBackward, silu, siluBackward } from "./activations.ts";
export {
  add,
  addBackward,
  div,
  divBackward,
  mul,
  mulBackward,
  neg,
  type PairGradients,
  scale,
  sub,
  subBackward,
} from "./arithmetic.ts";
export {
  type Attention,
  type AttentionInputs,
  type AttentionOptions,
  causalAttention,
  causalAttentionBackward,
} from "./attention.ts";
export {
  type CrossEntropy,
  type CrossEntropyOptions,
  crossEntropy,
  crossEntropyBackward,
  totalLoss,
} from "./cross-entropy.ts";
export { embedding, embeddingBackward, embeddingBackwardExact, type Lookup } from "./embedding.ts";
export { exactSum } from "./exact/exact-sum.ts";
export { ExactTensor } from "./exact/exact-tensor.ts";
export { matmulExact } from "./exact/matmul-exact.ts";
export {
  type Accumulate,
  type MatmulGradients,
  type MatmulOptions,
  matmul,
  matmulBackward,
} from "./matmul.ts";
export {
  layerNorm,
  layerNormBackward,
  type NormGradients,
  type NormParams,
  rmsNorm,
  rmsNormBackward,
} from "./norms.ts";
export {
  max,
  mean,
  meanBackward,
  min,
  type ReductionOptions,
  type SumOptions,
  sum,
  sumBackward,
} from "./reductions.ts";
export {
  type AlongOptions,
  logSoftmax,
  logSoftmaxBackward,
  softmax,
  softmaxBackward,
} from "./softmax.ts";
export { transpose } from "./transpose.ts";
