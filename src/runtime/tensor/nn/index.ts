/**
 * Small models that train for real, as pure functions over plain records of tensors:
 *
 * ```ts
 * const layers = transformerLayers({ vocabulary: 16, positions: 12, width: 16, heads: 2, blocks: 2 });
 * let params = initParams(layers, 42);
 * let state = adamWStart;
 * for (const batch of batches) {
 *   const { loss, gradients } = lossAndGradients(layers, params, batch);
 *   ({ params, state } = adamWStep({ params, gradients, state }, { learningRate: 0.01 }));
 * }
 * ```
 *
 * Which splits keep the bits:
 * - pipeline: a model is a list of layers; `stageForward` and `stageBackward` run any stretch of it.
 *   Stages compute what the whole computes, so activations, losses and gradients have equal bits.
 * - batch: activations and gradients of activations belong to one example. Parameter gradients are
 *   sums over examples: `chainGradients` are those of the batch as cut; `exactGradients` add up to
 *   the whole under any cut into devices and micro-batches (give each part the whole's normalizer).
 * - tensor: columns of a weight are independent. Rows of a weight (and the gradient of the input of
 *   a column-split one) are sums over devices: use `accumulate: "exact"` in the model and
 *   `matmulExact` on the devices, and combine limbs before the one rounding.
 */
export type { Activation } from "./activation.ts";
export {
  type AdamWInputs,
  type AdamWOptions,
  type AdamWState,
  adamWStart,
  adamWStep,
} from "./adam-w.ts";
export { chainGradients, exactGradients, type GradientRule } from "./gradient-rule.ts";
export { initParams } from "./init-params.ts";
export type {
  Layer,
  LayerBackward,
  LayerBackwardInputs,
  LayerForward,
  ParamSpec,
  Params,
  Saved,
} from "./layer.ts";
export { type MlpConfig, mlpLayers } from "./mlp.ts";
export { type SgdInputs, type SgdOptions, sgdStep } from "./sgd.ts";
export {
  addGradients,
  type StageBackward,
  type StageForward,
  splitStages,
  stageBackward,
  stageForward,
} from "./stage.ts";
export {
  type Batch,
  type LossAndGradients,
  lossAndExactGradients,
  lossAndGradients,
  lossOf,
  roundGradients,
} from "./train.ts";
export { type TransformerConfig, transformerLayers } from "./transformer/index.ts";
