import type { Clock } from "../../platform/time/clock.ts";
import type { State } from "../checkpoint/state.ts";
import type { World } from "../ranks/index.ts";
import type { Params } from "../tensor/nn/index.ts";
import { momentDType } from "../tensor/nn/moment.ts";
import { shapeError } from "../tensor/shape.ts";
import { digestOfAll, digestsOf } from "./digest-params.ts";
import { createWorldLinks, type StepLinks } from "./links/index.ts";
import type { JobOptions, StepReport, TrainingHooks } from "./options.ts";
import {
  firstShards,
  gatherShards,
  type HeldRecord,
  partOfRank,
  readShards,
  stateOfShard,
  wholeOf,
} from "./state/index.ts";
import { type JobPlan, type JobShape, planJob, type RankShard, rankStep } from "./step/index.ts";
import { reportOf } from "./step-report.ts";

/** One rank of a training job between real processes. */
export interface RankTraining {
  readonly stepsDone: number;
  /** This rank's part of each parameter of its stage. */
  readonly parameters: Params;
  /**
   * All ranks step together. A step that rejects has changed nothing on this rank. The digests of the
   * report are of this rank's parts.
   */
  step(): Promise<StepReport>;
  /** For `checkpoint.save` with `world`: whole tensors, the same on every rank. All ranks call it together. */
  state(): Promise<State>;
  /** @throws E_SHAPE for a state of another job; nothing has changed then. */
  restore(state: State): void;
  /** Over all parameters, whole. All ranks call it together. */
  digest(): Promise<string>;
}

export interface RankTrainingOptions extends JobOptions {
  readonly world: World;
  readonly clock: Clock;
  /** How long nothing may move before a rank is named. @default 60_000 */
  readonly stallMs?: number;
  /**
   * Ranks along each axis; those that are not named have one. Ranks are numbered with `pp` fastest,
   * then `tp`, then `dp`. @default all ranks differ by their samples alone
   */
  readonly shape?: Partial<JobShape>;
  readonly hooks?: TrainingHooks;
}

/**
 * The part of this process in a job. With `accumulate: "exact"` its parameters have the bits of the
 * same job on any mesh.
 *
 * @throws E_SHAPE when the job cannot be cut like this, or the ranks are not as many.
 */
export function createRankTraining(options: RankTrainingOptions): RankTraining {
  const { world, clock, stallMs = 60_000, hooks } = options;
  const shape = shapeFor(options);
  const plan = planJob(options, shape);
  const links = createWorldLinks({
    world,
    clock,
    stallMs,
    shape,
    before: (call) => hooks?.beforeCollective?.({ step: shard.common.step, ...call }),
  });
  const { place } = links;
  let [shard] = firstShards(plan, [place]) as [RankShard];
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
    state: () => stateOfRanks(plan, links, shard),
    restore: (state) => {
      const places = [place];
      [shard] = readShards(plan, state, {
        places,
        partOf: (tensor, param) => partOfRank(wholeOf(tensor), param, place),
      }) as [RankShard];
    },
    digest: async () => {
      const [whole = {}] = await gatherShards(plan, links, [paramsOf(shard)]);
      return digestOfAll(digestsOf(whole));
    },
  };
}

function shapeFor({ shape, world: { worldSize } }: RankTrainingOptions): JobShape {
  const { dp = 1, tp = 1, pp = 1 } = shape ?? { dp: worldSize };
  if (dp * tp * pp === worldSize) return { dp, tp, pp };
  throw shapeError("training", `${worldSize} ranks are not ${dp} x ${tp} x ${pp} (dp, tp, pp)`);
}

function paramsOf({ params }: RankShard): HeldRecord {
  return { held: params, dtypeOf: ({ dtype }) => dtype };
}

async function stateOfRanks(plan: JobPlan, links: StepLinks, shard: RankShard): Promise<State> {
  const { moments } = plan.optimizer;
  const [params = {}, ...wholes] = await gatherShards(plan, links, [
    paramsOf(shard),
    ...moments.map((name) => ({ held: shard.optimizer.moments[name] ?? {}, dtypeOf: momentDType })),
  ]);
  const named = Object.fromEntries(moments.map((name, at) => [name, wholes[at] ?? {}]));
  return stateOfShard({ ...shard, params, optimizer: { ...shard.optimizer, moments: named } });
}
