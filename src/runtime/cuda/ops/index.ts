/**
 * Operations on tensors of one GPU. Each is put on a stream and done later, unless it says that it
 * waits; the same inputs give the same bits on the same GPU model. `op.*` takes such tensors too
 * where it has the same name.
 */
export {
  attention,
  attentionBackward,
  type CudaAttention,
  type CudaAttentionInputs,
  type CudaAttentionOptions,
} from "./attention.ts";
export {
  type ChangingProductCheck,
  type ChangingProductCheckOptions,
  createChangingProductCheck,
  type ExpectedOperands,
  type ProductOperands,
} from "./changing-product-check.ts";
export {
  createProductCheck,
  type ProductCheck,
  type ProductCheckOptions,
  type ProductCheckResult,
} from "./checksum.ts";
export { compareWithTile, type TileMismatch } from "./compare-tile.ts";
export {
  type CudaCrossEntropy,
  type CudaCrossEntropyOptions,
  crossEntropy,
  crossEntropyBackward,
  crossEntropyRows,
} from "./cross-entropy.ts";
export {
  add,
  div,
  gelu,
  geluBackward,
  mul,
  neg,
  relu,
  reluBackward,
  scale,
  silu,
  siluBackward,
  sub,
} from "./elementwise.ts";
export { type CudaLookupOptions, embedding, embeddingBackward } from "./embedding.ts";
export { type HashPlace, hashBuffer, hashBytes, hashTensor } from "./hash.ts";
export {
  type CudaMatmulOptions,
  matmul,
  matmulAlgorithm,
  matmulLibraryVersion,
} from "./matmul.ts";
export {
  type CudaNormGradients,
  type CudaNormParams,
  layerNorm,
  layerNormBackward,
  rmsNorm,
  rmsNormBackward,
} from "./norms.ts";
export {
  adamWStep,
  type CudaAdamWOptions,
  type CudaAdamWState,
  type CudaSgdState,
  type CudaStepOptions,
  sgdStep,
} from "./optimizers.ts";
export {
  fillPattern,
  flipBit,
  type MemoryPattern,
  type PatternMismatch,
  type PatternPlace,
  verifyPattern,
} from "./patterns.ts";
export { type CudaReductionOptions, max, mean, min, sum } from "./reductions.ts";
export {
  type CudaAlongOptions,
  logSoftmax,
  logSoftmaxBackward,
  softmax,
  softmaxBackward,
} from "./softmax.ts";
