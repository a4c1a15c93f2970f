import type { Clock } from "../../../platform/time/index.ts";
import type { State } from "../../../runtime/checkpoint/index.ts";
import type { World } from "../../../runtime/ranks/index.ts";
import { momentDType } from "../../../runtime/tensor/nn/moment.ts";
import { createWorldLinks } from "../../../runtime/training/links/index.ts";
import {
  firstShards,
  gatherShards,
  partOfRank,
  readShards,
  stateOfShard,
  wholeOf,
} from "../../../runtime/training/state/index.ts";
import {
  type JobPlan,
  planJob,
  type RankShard,
  rankStep,
} from "../../../runtime/training/step/index.ts";
import type { JobShape, StepNews } from "../../elastic/index.ts";
import { corruptParams } from "../../numerics/corrupt.ts";
import { stateDigest } from "../../numerics/state-digest.ts";
import type { TrainingWorkload } from "../../plan/index.ts";
import { BrokenLinks, type BrokenLinksOptions, type CollectiveCounts } from "./broken-links.ts";
import type { ExchangeBook } from "./exchange-book.ts";
import type { Tripwires } from "./tripwires.ts";
import { TroubleError } from "./trouble.ts";
import type { WorkerFaults } from "./worker-faults.ts";

export interface HostJobOptions {
  readonly workload: TrainingWorkload;
  readonly shape: JobShape;
  readonly world: World;
  readonly clock: Clock;
  readonly stallMs: number;
  readonly wires: Tripwires;
  readonly faults: WorkerFaults;
  readonly book: ExchangeBook;
  readonly counts: CollectiveCounts;
  readonly onHalfTime: BrokenLinksOptions["onHalfTime"];
}

/**
 * This rank's part of the training job of `runtime/training`, between real processes. Its links are the
 * real ones behind the tripwires and faults of this worker.
 */
export class HostJob {
  readonly #o: HostJobOptions;
  readonly #plan: JobPlan;
  readonly #links: BrokenLinks;
  #shard: RankShard;

  constructor(options: HostJobOptions) {
    const { workload, shape, world, clock, stallMs } = options;
    this.#o = options;
    this.#plan = planJob(workload.job, shape);
    const links = createWorldLinks({ world, clock, stallMs, shape });
    const dtype = [...this.#plan.model.params.values()][0]?.dtype ?? "f32";
    this.#links = new BrokenLinks({ ...options, links, dtype: dtype as "f32" });
    this.#shard = firstShards(this.#plan, [links.place])[0] as RankShard;
  }

  get stepsDone(): number {
    return this.#shard.common.step;
  }

  /** One step, and how long this rank computed for it. @throws TroubleError, the world's reason */
  async step(): Promise<{ readonly news: StepNews; readonly computeUs: number }> {
    const { wires, faults, workload } = this.#o;
    await wires.pass({ kind: "step", step: this.stepsDone + 1 });
    await faults.operate();
    this.#corrupt();
    this.#links.takeComputeMs();
    const { epoch, position } = this.#shard.common.data;
    const from = epoch * this.#plan.samples + position;
    const { shard, loss, gradientNorm } = await rankStep(this.#plan, this.#links, this.#shard);
    if (!Number.isFinite(loss) || !Number.isFinite(gradientNorm)) {
      const reason = `the loss of step ${shard.common.step} is ${loss}, the gradient's length ${gradientNorm}`;
      throw new TroubleError({ cause: "numerics", suspects: [], reason });
    }
    this.#shard = shard;
    this.#o.book.stepDone();
    const { batch } = workload.job;
    const samples: readonly [number, number] = [from, from + batch];
    const news = { step: this.stepsDone, units: batch, samples, loss };
    return { news, computeUs: Math.round(this.#links.takeComputeMs() * 1000) };
  }

  /** Whole, the same on every rank. All ranks call it together. */
  async state(): Promise<State> {
    const plan = this.#plan;
    const shard = this.#shard;
    const { moments } = plan.optimizer;
    const [params = {}, ...wholes] = await gatherShards(plan, this.#links, [
      { held: shard.params, dtypeOf: ({ dtype }) => dtype },
      ...moments.map((name) => ({
        held: shard.optimizer.moments[name] ?? {},
        dtypeOf: momentDType,
      })),
    ]);
    const named = Object.fromEntries(moments.map((name, at) => [name, wholes[at] ?? {}]));
    return stateOfShard({ ...shard, params, optimizer: { ...shard.optimizer, moments: named } });
  }

  /** Of what this rank alone holds. */
  ownDigest(): string {
    return stateDigest(stateOfShard(this.#shard));
  }

  /** @throws E_SHAPE for a state of another job */
  restore(state: State): void {
    const { place } = this.#links;
    const [shard] = readShards(this.#plan, state, {
      places: [place],
      partOf: (tensor, param) => partOfRank(wholeOf(tensor), param, place),
    });
    this.#shard = shard as RankShard;
  }

  /** The planted defect of a cursor that is restored some samples late. */
  moveCursor(samples: number): void {
    const { common } = this.#shard;
    const { epoch, position, seed } = common.data;
    const at = epoch * this.#plan.samples + position + samples;
    const data = {
      epoch: Math.floor(at / this.#plan.samples),
      position: at % this.#plan.samples,
      seed,
    };
    this.#shard = { ...this.#shard, common: { ...common, data } };
  }

  #corrupt(): void {
    const { faults } = this.#o;
    for (const [injection, bits] of faults.corruptions("parameter")) {
      const before = this.ownDigest();
      this.#shard = { ...this.#shard, params: corruptParams(this.#shard.params, bits) };
      const after = this.ownDigest();
      if (after === before) continue;
      faults.seen(injection, `this rank's state is ${after}, not ${before}`);
    }
  }
}
