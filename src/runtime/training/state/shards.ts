import type { State } from "../../checkpoint/state.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { Params } from "../../tensor/nn/index.ts";
import { tensorNamed } from "../../tensor/nn/layer.ts";
import type { Place } from "../links/index.ts";
import type { ShardParam } from "../model/index.ts";
import {
  type CommonState,
  type JobPlan,
  namesOfStage,
  type RankShard,
  startOf,
} from "../step/index.ts";

/** What all ranks know before the first step. */
export function startOfJob({ seed, loader, lossScale }: JobPlan): CommonState {
  return {
    step: 0,
    rng: { seed, drawn: 0 },
    data: loader.start,
    hyper: { lossScale: lossScale?.initial ?? 1, goodSteps: 0 },
  };
}

/** What each rank holds before the first step. Ranks with the same part hold the same tensor. */
export function firstShards(plan: JobPlan, places: readonly Place[]): readonly RankShard[] {
  const whole = plan.model.init(plan.seed);
  const common = startOfJob(plan);
  const known = new Map<string, Pick<RankShard, "params" | "optimizer">>();
  return places.map((place) => {
    const key = JSON.stringify([place.tp.index, place.pp.index]);
    const made = known.get(key) ?? firstOf(plan, whole, place);
    known.set(key, made);
    return { common, ...made };
  });
}

function firstOf(plan: JobPlan, whole: Params, place: Place) {
  const params = Object.fromEntries(
    namesOfStage(plan, place.pp.index).map((name) => {
      const param = plan.model.params.get(name) as ShardParam;
      return [name, partOfRank(tensorNamed(whole, name), param, place)];
    }),
  );
  return { params, optimizer: startOf(plan.optimizer, params) };
}

/** What a rank holds as a state; of a job's only rank, that of the job. Nothing is copied. */
export function stateOfShard({ common, params, optimizer }: RankShard): State {
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

/** A rank's part of a whole tensor, in memory of its own. */
export function partOfRank(whole: Tensor, { split }: ShardParam, { tp }: Place): Tensor {
  if (split === undefined || tp.size === 1) return whole;
  const count = (whole.shape[split] ?? 0) / tp.size;
  const range = { start: tp.index * count, stop: (tp.index + 1) * count };
  return whole.slice(whole.shape.map((_, dim) => (dim === split ? range : null))).contiguous();
}
