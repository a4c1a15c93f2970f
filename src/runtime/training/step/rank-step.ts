import type { StepLinks } from "../links/step-links.ts";
import type { SampleId, TakenBatch, TaskRows } from "../task/index.ts";
import { chainGradientSums, exactGradientSums, type GradientSums } from "./gradient-sums.ts";
import { type StepMetrics, shareMetrics } from "./metrics.ts";
import { type PassesResult, runPasses } from "./passes.ts";
import type { JobPlan } from "./plan.ts";
import type { HyperState, RankShard } from "./rank-shard.ts";
import { reduceGradients } from "./reduce-gradients.ts";

export interface RankStep extends StepMetrics {
  /** What the rank holds after the step. */
  readonly shard: RankShard;
  /** Of the whole batch. */
  readonly samples: readonly SampleId[];
  readonly skipped: boolean;
}

/**
 * One rank's part of a training step: a function of what it holds and of what the others tell it
 * through `links`, on a simulated mesh and between real processes alike.
 */
export function rankStep(plan: JobPlan, links: StepLinks, shard: RankShard): Promise<RankStep> {
  return plan.accumulate === "exact"
    ? stepWith({ plan, links, shard }, exactGradientSums)
    : stepWith({ plan, links, shard }, chainGradientSums);
}

export interface RankStepInputs {
  readonly plan: JobPlan;
  readonly links: StepLinks;
  readonly shard: RankShard;
}

async function stepWith<G>(inputs: RankStepInputs, sums: GradientSums<G>): Promise<RankStep> {
  const { plan, links, shard } = inputs;
  const { common, params } = shard;
  const taken = links.shared("batch", [common], () => plan.loader.take(common.data, plan.batch));
  const rowsOf = rowsReader(inputs, taken.ids);
  const { lossScale } = common.hyper;
  const passes = await runPasses({ plan, links, params, sums, rowsOf, lossScale });
  return concludeStep(inputs, { sums, passes, taken });
}

/** From the gradients of this rank's samples to what it holds after the step. */
export async function concludeStep<G>(
  inputs: RankStepInputs,
  o: {
    readonly sums: GradientSums<G>;
    readonly passes: PassesResult<G>;
    readonly taken: TakenBatch;
  },
): Promise<RankStep> {
  const { plan, links, shard } = inputs;
  const { sums, passes, taken } = o;
  const { common, params } = shard;
  const { lossScale } = common.hyper;
  const gradients = await reduceGradients({
    plan,
    links,
    params,
    sums,
    gradients: passes.gradients,
    lossScale,
  });
  const metrics = await shareMetrics({ plan, links, gradients, rowLosses: passes.rowLosses });
  const skipped = plan.lossScale !== undefined && !Number.isFinite(metrics.gradientNorm);
  const { params: next, state } = skipped
    ? { params, state: shard.optimizer }
    : optimized(inputs, gradients);
  const after = links.shared(skipped ? "after skipping" : "after", [common, taken], () => ({
    step: common.step + 1,
    data: taken.next,
    rng: { ...common.rng, drawn: common.rng.drawn + plan.batch * plan.task.drawsPerSample },
    hyper: nextHyper(plan, common.hyper, skipped),
  }));
  return {
    ...metrics,
    samples: taken.ids,
    skipped,
    shard: { common: after, params: next, optimizer: state },
  };
}

/** The rows of this rank's micro-batches. Both ends of a pipeline make them, each once. */
function rowsReader({ plan, links, shard }: RankStepInputs, ids: readonly SampleId[]) {
  const { index, size } = links.place.dp;
  const { rng } = shard.common;
  const count = plan.batch / size / plan.microBatches;
  const made = new Map<number, TaskRows>();
  return (microBatch: number): TaskRows => {
    const start = (index * plan.microBatches + microBatch) * count;
    const drawn = rng.drawn + start * plan.task.drawsPerSample;
    const rows =
      made.get(microBatch) ?? plan.task.rows(ids.slice(start, start + count), { ...rng, drawn });
    made.set(microBatch, rows);
    return rows;
  };
}

/** Replicas that hold the same get the same: the optimizer works element by element. */
function optimized({ plan, links, shard }: RankStepInputs, gradients: RankShard["params"]) {
  const { params, optimizer: state } = shard;
  const names = Object.keys(params).toSorted();
  const inputs = [params, gradients, ...Object.values(state.moments)].flatMap((tensors) =>
    names.flatMap((name) => tensors[name] ?? []),
  );
  return links.shared("optimizer", inputs, () => plan.optimizer.step({ params, gradients, state }));
}

/** Halved when a gradient was too large for its format, doubled after a while without. */
function nextHyper({ lossScale: rule }: JobPlan, now: HyperState, skipped: boolean): HyperState {
  if (rule === undefined) return now;
  if (skipped) return { lossScale: Math.max(1, now.lossScale / 2), goodSteps: 0 };
  const goodSteps = now.goodSteps + 1;
  if (rule.growthSteps === 0 || goodSteps < rule.growthSteps) return { ...now, goodSteps };
  return { lossScale: Math.min(2 ** 24, now.lossScale * 2), goodSteps: 0 };
}
