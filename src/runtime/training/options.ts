import type { Mesh } from "../dist/index.ts";
import type { AdamWOptions, MlpConfig, SgdOptions, TransformerConfig } from "../tensor/nn/index.ts";
import type { SampleId } from "./task/index.ts";

/** What is trained. How products sum follows from the job's own `accumulate`. */
export type ModelOptions =
  /** Tells apart classes of points; see `classesTask`. */
  | ({ readonly kind: "mlp" } & Omit<MlpConfig, "accumulate">)
  /** Copies or reverses sequences; see `sequenceTask`. */
  | ({ readonly kind: "transformer"; readonly task?: "copy" | "reverse" } & Omit<
      TransformerConfig,
      "accumulate"
    >);

export type OptimizerOptions =
  | ({ readonly kind: "sgd" } & SgdOptions)
  | ({ readonly kind: "adamW" } & AdamWOptions);

/**
 * How sums over devices and micro-batches come about.
 * - `exact`: as exact sums, rounded once. The bits of parameters, losses and norms are the same on
 *   every mesh and for every number of micro-batches.
 * - `chain`: each part is rounded, then they are added. Faster; the bits repeat on the same mesh and
 *   are others on another one.
 */
export type TrainingAccumulate = "exact" | "chain";

/** Gradients times a power of two on their way back, so that small ones survive short formats. */
export interface LossScaleOptions {
  /** A power of two. @default 1024 */
  readonly initial?: number;
  /** Doubled after so many steps in a row without an overflow; 0 leaves it as it is. @default 200 */
  readonly growthSteps?: number;
}

export interface DataOptions {
  /** Samples in an epoch. @default 1024 */
  readonly samples?: number;
  /**
   * Random changes of the inputs, drawn from the job's `rng`: for points the width of what is added,
   * for sequences the share of tokens that are replaced. 0 draws nothing. @default 0.05
   */
  readonly noise?: number;
}

/** One rank is about to take part in an exchange. */
export interface CollectiveCall {
  /** Steps done before this one. */
  readonly step: number;
  /** What for: `gradients 0`, `sum of blocks.0.mlp.down`, `activations 3`, `metrics`. */
  readonly name: string;
  readonly op: "all-reduce" | "send" | "recv";
  readonly rank: number;
  /** The ranks that take part, this one among them. */
  readonly group: readonly number[];
}

/** Called in the middle of training; what they throw comes out of the step unchanged. */
export interface TrainingHooks {
  /** After a step that succeeded: it stays done, also when this throws. */
  readonly onStep?: (report: StepReport) => void;
  /** In the async context of the rank: what is broken there with `breakNow` hits this exchange. */
  readonly beforeCollective?: (call: CollectiveCall) => void;
}

/** What every rank of a job must be told alike. */
export interface JobOptions {
  readonly model: ModelOptions;
  readonly optimizer: OptimizerOptions;
  /** Samples in a step, over all ranks. */
  readonly batch: number;
  /** Of the first parameters, the data and their order. */
  readonly seed: string | number;
  /** @default "exact" */
  readonly accumulate?: TrainingAccumulate;
  /** Parts of what a data-parallel rank gets, which follow each other through the pipeline. @default 1 */
  readonly microBatches?: number;
  /** @default no scaling */
  readonly lossScale?: LossScaleOptions;
  readonly data?: DataOptions;
}

export interface TrainingOptions extends JobOptions {
  /** Axes are `dp`, `tp` and `pp`, in any order; those that are missing have size 1. */
  readonly mesh: Mesh;
  readonly hooks?: TrainingHooks;
  /** Asked before each step and each exchange; a step that is stopped changes nothing. */
  readonly signal?: AbortSignal;
}

/** What one step did. */
export interface StepReport {
  /** Steps done, this one included. */
  readonly step: number;
  /** The mean loss of the samples, before the parameters changed. */
  readonly loss: number;
  /** The length of the gradient of all parameters together. */
  readonly gradientNorm: number;
  /** In the order of the batch. */
  readonly samples: readonly SampleId[];
  /** True when the gradient was no finite number: parameters stay, the loss scale is halved. */
  readonly skipped: boolean;
  /** That the step used; 1 without scaling. */
  readonly lossScale: number;
  /** Of each parameter after the step. Computed when it is read. */
  readonly digests: Readonly<Record<string, string>>;
}
