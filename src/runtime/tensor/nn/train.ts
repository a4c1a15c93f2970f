import {
  type CrossEntropy,
  crossEntropy,
  crossEntropyBackward,
  type ExactTensor,
} from "../ops/index.ts";
import type { Tensor } from "../tensor.ts";
import { chainGradients, exactGradients, type GradientRule } from "./gradient-rule.ts";
import { type Layer, type Params, tensorNamed } from "./layer.ts";
import { stageBackward, stageForward } from "./stage.ts";

/** Examples and what should come out. */
export interface Batch {
  /** What the first layer takes: tokens [batch, positions] as i32, or rows of features. */
  readonly inputs: Tensor;
  /** The class that is right for each row of the logits, i32. */
  readonly targets: Tensor;
  /**
   * What the sum of losses is divided by. Default the number of targets here; give the number in the
   * whole batch when this is a part of one.
   */
  readonly normalizer?: number;
}

/** What a training step needs to know about a batch. */
export interface LossAndGradients<G> extends CrossEntropy {
  readonly gradients: Readonly<Record<string, G>>;
}

/** The cross-entropy of a whole model on a batch, forward only. */
export function lossOf(layers: readonly Layer[], params: Params, batch: Batch): CrossEntropy {
  const { output } = stageForward(layers, params, batch.inputs);
  return crossEntropy(output, batch.targets, normalizerOf(batch));
}

/** The loss of a whole model and the gradients of its parameters, as `chainGradients` sums them. */
export function lossAndGradients(
  layers: readonly Layer[],
  params: Params,
  batch: Batch,
): LossAndGradients<Tensor> {
  return run(layers, params, batch, chainGradients);
}

/**
 * The loss and the exact gradients, for batches that are cut: add them with `addGradients` (or
 * all-reduce their limbs), then `roundGradients`. Row losses add up with `totalLoss`. Give every part
 * the normalizer of the whole, and loss and gradients have the bits of the whole batch.
 */
export function lossAndExactGradients(
  layers: readonly Layer[],
  params: Params,
  batch: Batch,
): LossAndGradients<ExactTensor> {
  return run(layers, params, batch, exactGradients);
}

/** Exact gradients rounded once to the dtypes of their parameters. */
export function roundGradients(
  gradients: Readonly<Record<string, ExactTensor>>,
  params: Params,
): Readonly<Record<string, Tensor>> {
  return Object.fromEntries(
    Object.entries(gradients).map(([name, gradient]) => [
      name,
      gradient.round(tensorNamed(params, name).dtype),
    ]),
  );
}

function run<G>(
  layers: readonly Layer[],
  params: Params,
  batch: Batch,
  rule: GradientRule<G>,
): LossAndGradients<G> {
  const { output, saved } = stageForward(layers, params, batch.inputs);
  const options = normalizerOf(batch);
  const loss = crossEntropy(output, batch.targets, options);
  const gradient = crossEntropyBackward(output, batch.targets, options);
  const { gradients } = stageBackward(layers, { params, saved, gradient, rule });
  return { ...loss, gradients };
}

function normalizerOf({ normalizer }: Batch): { readonly normalizer?: number } {
  return normalizer === undefined ? {} : { normalizer };
}
