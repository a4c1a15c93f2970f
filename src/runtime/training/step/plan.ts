import { shapeError } from "../../tensor/shape.ts";
import type { Place } from "../links/step-links.ts";
import {
  checkTensorParallel,
  type ShardedModel,
  type ShardLayer,
  shardedModel,
} from "../model/index.ts";
import type { JobOptions, ModelOptions, TrainingAccumulate } from "../options.ts";
import { classesTask, createLoader, type Loader, sequenceTask, type Task } from "../task/index.ts";
import { createOptimizer, type Optimizer } from "./optimizer.ts";

/** Sizes of a job along its axes. */
export interface JobShape {
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
}

/** A job with all that follows from its options. */
export interface JobPlan {
  readonly shape: JobShape;
  readonly model: ShardedModel;
  /** Layers of each pipeline stage. */
  readonly stages: readonly (readonly ShardLayer[])[];
  readonly optimizer: Optimizer;
  readonly task: Task;
  readonly loader: Loader;
  readonly seed: string;
  /** In an epoch. */
  readonly samples: number;
  readonly batch: number;
  readonly microBatches: number;
  readonly accumulate: TrainingAccumulate;
  /** Undefined without scaling. */
  readonly lossScale: { readonly initial: number; readonly growthSteps: number } | undefined;
  /** Parameters that the first and the last stage both have. */
  readonly tied: ReadonlySet<string>;
}

/** @throws E_SHAPE when the job cannot be cut like this. */
export function planJob(options: JobOptions, shape: JobShape): JobPlan {
  const { batch, microBatches = 1, accumulate = "exact", lossScale } = options;
  const { samples = 1024, noise = 0.05 } = options.data ?? {};
  const seed = String(options.seed);
  checkCut({ batch, microBatches, samples }, shape);
  const model = shardedModel(options.model);
  checkTensorParallel(model, options.model, shape.tp);
  const stages = cutStages(model.layers, shape.pp);
  return {
    shape,
    model,
    stages,
    optimizer: createOptimizer(options.optimizer),
    task: taskOf(options.model, { seed, noise }),
    loader: createLoader({ samples, seed }),
    seed,
    samples,
    batch,
    microBatches,
    accumulate,
    lossScale: lossScale === undefined ? undefined : checkedScale(lossScale),
    tied: shape.pp === 1 ? new Set() : inBoth(stages[0] ?? [], stages.at(-1) ?? []),
  };
}

/** The names of all parameters of a stage. */
export function namesOfStage({ stages }: JobPlan, stage: number): readonly string[] {
  const names = (stages[stage] ?? []).flatMap((layer) => layer.params.map(({ name }) => name));
  return [...new Set(names)];
}

export function isFirstStage({ pp }: Place): boolean {
  return pp.index === 0;
}

export function isLastStage({ pp }: Place): boolean {
  return pp.index === pp.size - 1;
}

function taskOf(model: ModelOptions, o: { readonly seed: string; readonly noise: number }): Task {
  if (model.kind === "mlp") {
    const { inputs: features, outputs: classes, dtype = "f32" } = model;
    return classesTask({ ...o, features, classes, dtype });
  }
  const { task: kind = "copy", vocabulary, positions } = model;
  return sequenceTask({ ...o, kind, vocabulary, positions });
}

/** Neighbouring layers, as many for each stage or one more for the first ones. */
function cutStages(layers: readonly ShardLayer[], count: number): JobPlan["stages"] {
  if (count > layers.length) {
    throw shapeError("training", `${layers.length} layers make no ${count} pipeline stages`);
  }
  const [base, longer] = [Math.floor(layers.length / count), layers.length % count];
  return Array.from({ length: count }, (_, stage) => {
    const start = stage * base + Math.min(stage, longer);
    return layers.slice(start, start + base + (stage < longer ? 1 : 0));
  });
}

function inBoth(one: readonly ShardLayer[], other: readonly ShardLayer[]): Set<string> {
  const names = (layers: readonly ShardLayer[]) =>
    new Set(layers.flatMap(({ params }) => params.map(({ name }) => name)));
  const others = names(other);
  return new Set([...names(one)].filter((name) => others.has(name)));
}

function checkCut(
  numbers: { readonly batch: number; readonly microBatches: number; readonly samples: number },
  { dp }: JobShape,
): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw shapeError("training", `\`${name}\` is a whole number from 1, not ${value}`);
  }
  const { batch, microBatches } = numbers;
  if (batch % (dp * microBatches) === 0) return;
  const parts = `${dp} data-parallel ranks with ${microBatches} micro-batches each`;
  throw shapeError("training", `a batch of ${batch} cannot be shared out to ${parts}`);
}

function checkedScale(given: NonNullable<JobOptions["lossScale"]>) {
  const { initial = 1024, growthSteps = 200 } = given;
  const isPower = initial > 0 && Number.isInteger(Math.log2(initial));
  if (isPower && Number.isInteger(growthSteps) && growthSteps >= 0) {
    return { initial, growthSteps };
  }
  throw shapeError("training", "a loss scale starts at a power of two and grows after whole steps");
}
