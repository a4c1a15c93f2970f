import type { State } from "../../checkpoint/state.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { Params } from "../../tensor/nn/index.ts";
import { momentDType } from "../../tensor/nn/moment.ts";
import type { Place } from "../links/index.ts";
import type { ShardParam } from "../model/index.ts";
import { type JobPlan, namesOfStage, type RankShard } from "../step/index.ts";
import { readCommon, recordAt, type StateTensor, tensorAt, wholeAt } from "./read-state.ts";

/** A rank's part of one tensor of a state. */
export type PartOf = (
  tensor: StateTensor,
  param: ShardParam,
  at: { readonly rank: number; readonly place: Place },
) => Tensor;

/** What each of these ranks holds when a job goes on from a state. @throws E_SHAPE for another job's */
export function readShards(
  plan: JobPlan,
  state: State,
  o: { readonly places: readonly Place[]; readonly partOf: PartOf },
): readonly RankShard[] {
  const common = readCommon(state, plan.samples);
  const model = recordAt(state, "model");
  const optimizer = recordAt(state, "optimizer");
  const step = wholeAt(optimizer, "optimizer/step");
  return o.places.map((place, rank) => {
    const names = namesOfStage(plan, place.pp.index);
    const read = (from: State, folder: string, isMoment: boolean): Params =>
      Object.fromEntries(
        names.map((name) => {
          const param = plan.model.params.get(name) as ShardParam;
          const dtype = isMoment ? momentDType(param) : param.dtype;
          const { shape } = param;
          const whole = tensorAt(from, `${folder}/${name}`, { shape, dtype });
          return [name, o.partOf(whole, param, { rank, place })];
        }),
      );
    const moments = plan.optimizer.moments.map((moment) => {
      const folder = `optimizer/${moment}`;
      return [moment, read(recordAt(optimizer, folder), folder, true)];
    });
    return {
      common,
      params: read(model, "model", false),
      optimizer: { step, moments: Object.fromEntries(moments) },
    };
  });
}
