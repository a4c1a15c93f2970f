import assert from "node:assert/strict";
import type { State } from "../../checkpoint/state.ts";
import type { Tensor } from "../../tensor/index.ts";
import { addGradients } from "../../tensor/nn/index.ts";
import type { ExactTensor } from "../../tensor/ops/index.ts";
import { shapeError } from "../../tensor/shape.ts";
import { digestOfAll, digestsOf } from "../digest-params.ts";
import { aloneLinks } from "../links/index.ts";
import type { JobOptions, StepReport } from "../options.ts";
import { firstShards, readShards, stateOfShard, wholeOf } from "../state/index.ts";
import {
  concludeStep,
  exactGradientSums,
  type JobPlan,
  planJob,
  type RankShard,
  runPasses,
} from "../step/index.ts";
import { reportOf } from "../step-report.ts";
import type { SampleId } from "../task/index.ts";
import { accountSamples, type SampleAccount } from "./account-samples.ts";

/** All that a job holds between two steps: a value, which nothing changes. */
export type TrainingPoint = RankShard;

/** What some data-parallel replicas bring to a step. Exact: adding several rounds nothing. */
export interface Contribution {
  /** Of the loss over the whole batch, from these samples. */
  readonly gradients: Readonly<Record<string, ExactTensor>>;
  readonly rowLosses: readonly Tensor[];
  /** Of these replicas. */
  readonly samples: readonly SampleId[];
}

/**
 * A job as its data-parallel replicas compute it, for simulators of many devices: whoever keeps their
 * states decides which of them bring what and which take the result. Promises wait for nothing
 * outside; the bits are those of `createTrainingJob` on any mesh.
 */
export interface StepwiseTraining {
  /** Before the first step. */
  readonly start: TrainingPoint;
  /**
   * What the replicas `of` bring when a batch is shared out to `replicas` of them, in order and as
   * evenly as it goes. All that hold the same point can be asked for at once, at the price of one.
   */
  contribution(
    point: TrainingPoint,
    o: { readonly replicas: number; readonly of: readonly number[] },
  ): Promise<Contribution>;
  /**
   * The step that a replica at this point takes when it receives the sum of these. Its samples are
   * those of the contributions; the cursor moves on by a whole batch.
   */
  advance(
    point: TrainingPoint,
    contributions: readonly Contribution[],
  ): Promise<{ readonly point: TrainingPoint; readonly report: StepReport }>;
  /** A step with everyone in it. */
  step(
    point: TrainingPoint,
  ): Promise<{ readonly point: TrainingPoint; readonly report: StepReport }>;
  /** Over all parameters, as `TrainingJob.digest`. */
  digest(point: TrainingPoint): string;
  /** For `checkpoint.save`, `createTrainingJob().restore` and `pointOf`. Nothing is copied. */
  stateOf(point: TrainingPoint): State;
  /** @throws E_SHAPE for a state of another job. */
  pointOf(state: State): TrainingPoint;
  /** Whether the samples of all steps that count are those that a run to this point is to use, once each. */
  account(point: TrainingPoint, used: readonly SampleId[]): SampleAccount;
}

/** @throws E_SHAPE for options that are of no job, or without exact sums: only those add up on any mesh. */
export function createStepwiseTraining(options: JobOptions): StepwiseTraining {
  const plan = planJob({ ...options, microBatches: 1 }, { dp: 1, tp: 1, pp: 1 });
  if (plan.accumulate !== "exact") {
    throw shapeError("training", "replicas that are added one by one need exact sums");
  }
  const [start] = firstShards(plan, [aloneLinks.place]) as [TrainingPoint];
  const contribution: StepwiseTraining["contribution"] = (point, { replicas, of }) =>
    contributionOf(plan, point, sharesOf(plan.batch, replicas, of));
  const advance: StepwiseTraining["advance"] = (point, given) => advanced(plan, point, given);
  return {
    start,
    contribution,
    advance,
    step: async (point) => advance(point, [await contribution(point, { replicas: 1, of: [0] })]),
    digest: ({ params }) => digestOfAll(digestsOf(params)),
    stateOf: stateOfShard,
    pointOf: (state) =>
      readShards(plan, state, { places: [aloneLinks.place], partOf: wholeOf })[0] as TrainingPoint,
    account: ({ common: { data } }, used) => {
      const count = data.epoch * plan.samples + data.position;
      return accountSamples(plan.loader.take(plan.loader.start, count).ids, used);
    },
  };
}

interface Share {
  readonly start: number;
  readonly stop: number;
}

/** Where replicas' samples lie in the batch; neighbours become one stretch. */
function sharesOf(batch: number, replicas: number, of: readonly number[]): readonly Share[] {
  assert(Number.isInteger(replicas) && replicas >= 1, "a job has replicas");
  const shares: Share[] = [];
  for (const index of of) {
    assert(Number.isInteger(index) && index >= 0 && index < replicas, "a replica of the job");
    const share = {
      start: Math.floor((index * batch) / replicas),
      stop: Math.floor(((index + 1) * batch) / replicas),
    };
    const last = shares.at(-1);
    if (share.start === share.stop) continue;
    if (last?.stop === share.start) shares[shares.length - 1] = { ...last, stop: share.stop };
    else shares.push(share);
  }
  return shares;
}

async function contributionOf(
  plan: JobPlan,
  { common, params }: TrainingPoint,
  shares: readonly Share[],
): Promise<Contribution> {
  const { ids } = plan.loader.take(common.data, plan.batch);
  const samples = shares.flatMap(({ start, stop }) => ids.slice(start, stop));
  if (samples.length === 0) return { gradients: {}, rowLosses: [], samples };
  const rows = shares.map(({ start, stop }) => {
    const drawn = common.rng.drawn + start * plan.task.drawsPerSample;
    return plan.task.rows(ids.slice(start, stop), { ...common.rng, drawn });
  });
  const passes = await runPasses({
    plan: { ...plan, microBatches: shares.length },
    links: aloneLinks,
    params,
    sums: exactGradientSums,
    rowsOf: (share) => rows[share] as (typeof rows)[number],
    lossScale: common.hyper.lossScale,
  });
  return { ...passes, samples };
}

async function advanced(
  plan: JobPlan,
  shard: TrainingPoint,
  contributions: readonly Contribution[],
): Promise<{ readonly point: TrainingPoint; readonly report: StepReport }> {
  const given = contributions.filter(({ samples }) => samples.length > 0);
  assert(given.length > 0, "a step has samples");
  const gradients = given
    .map((one) => one.gradients)
    .reduce((one, other) => addGradients(exactGradientSums.rule, one, other));
  const { next } = plan.loader.take(shard.common.data, plan.batch);
  const step = await concludeStep(
    { plan, links: aloneLinks, shard },
    {
      sums: exactGradientSums,
      passes: { gradients, rowLosses: given.flatMap(({ rowLosses }) => rowLosses) },
      taken: { ids: given.flatMap(({ samples }) => samples), next },
    },
  );
  const { lossScale } = shard.common.hyper;
  return {
    point: step.shard,
    report: reportOf(step, { lossScale, parameters: step.shard.params }),
  };
}
