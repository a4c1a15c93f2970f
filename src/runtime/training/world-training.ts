import type { State } from "../checkpoint/state.ts";
import type { TensorWorld } from "../ranks/index.ts";
import type { Tensor } from "../tensor/index.ts";
import type { Params } from "../tensor/nn/index.ts";
import { digestOfAll, digestsOf } from "./digest-params.ts";
import { createWorldLinks } from "./links/index.ts";
import type { JobOptions, StepReport, TrainingHooks } from "./options.ts";
import { firstShards, readCommon, recordAt, tensorAt, wholeAt } from "./state/index.ts";
import { type JobPlan, planJob, type RankShard, rankStep } from "./step/index.ts";
import { reportOf } from "./step-report.ts";

/** One rank of a training job between real processes, which differ by their samples alone. */
export interface RankTraining {
  readonly stepsDone: number;
  /** Whole: every rank holds all of them. */
  readonly parameters: Params;
  /** All ranks step together. A step that rejects has changed nothing on this rank. */
  step(): Promise<StepReport>;
  /** For `checkpoint.save` with `world`: the same on every rank. */
  state(): State;
  /** @throws E_SHAPE for a state of another job; nothing has changed then. */
  restore(state: State): void;
  digest(): string;
}

/**
 * The part of this process in a data-parallel job. With `accumulate: "exact"` its parameters have the
 * bits of the same job on any mesh.
 *
 * @throws E_SHAPE when the batch cannot be shared out to the ranks.
 */
export function createRankTraining(
  options: JobOptions & { readonly world: TensorWorld; readonly hooks?: TrainingHooks },
): RankTraining {
  const { world, hooks } = options;
  const plan = planJob(options, { dp: world.world.worldSize, tp: 1, pp: 1 });
  const links = createWorldLinks({
    world,
    before: (call) => hooks?.beforeCollective?.({ step: shard.common.step, ...call }),
  });
  let [shard] = firstShards(plan, [links.place]) as [RankShard];
  return {
    get stepsDone() {
      return shard.common.step;
    },
    get parameters() {
      return shard.params;
    },
    step: async () => {
      const { lossScale } = shard.common.hyper;
      const done = await rankStep(plan, links, shard);
      shard = done.shard;
      const report = reportOf(done, { lossScale, parameters: shard.params });
      hooks?.onStep?.(report);
      return report;
    },
    state: () => stateOfRank(shard),
    restore: (state) => {
      shard = shardFrom(plan, state);
    },
    digest: () => digestOfAll(digestsOf(shard.params)),
  };
}

function stateOfRank({ common, params, optimizer }: RankShard): State {
  const { step, rng, data, hyper } = common;
  return {
    step,
    model: params,
    optimizer: { step: optimizer.step, ...optimizer.moments },
    rng: { ...rng },
    data: { ...data },
    hyper: { ...hyper },
  };
}

function shardFrom(plan: JobPlan, state: State): RankShard {
  const optimizer = recordAt(state, "optimizer");
  const read = (from: State, folder: string, isMoment: boolean): Params =>
    Object.fromEntries(
      [...plan.model.params.values()].map(({ name, shape, dtype: own }) => {
        const dtype = isMoment && own !== "f64" ? "f32" : own;
        const found = tensorAt(from, `${folder}/${name}`, { shape, dtype });
        const tensor: Tensor = "toTensor" in found ? found.toTensor() : found;
        return [name, tensor];
      }),
    );
  const moments = plan.optimizer.moments.map((moment) => {
    const folder = `optimizer/${moment}`;
    return [moment, read(recordAt(optimizer, folder), folder, true)];
  });
  return {
    common: readCommon(state),
    params: read(recordAt(state, "model"), "model", false),
    optimizer: { step: wholeAt(optimizer, "optimizer/step"), moments: Object.fromEntries(moments) },
  };
}
