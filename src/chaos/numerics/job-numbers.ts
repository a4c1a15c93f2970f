import assert from "node:assert/strict";
import type { Params } from "../../runtime/tensor/nn/index.ts";
import type { JobOptions } from "../../runtime/training/index.ts";
import { firstShards, stateOfShard } from "../../runtime/training/state/index.ts";
import {
  type JobPlan,
  planJob,
  type RankShard,
  rankStep,
} from "../../runtime/training/step/index.ts";
import { corruptGradients, corruptParams } from "./corrupt.ts";
import { mixTensors } from "./mix-tensors.ts";
import type { Corruption } from "./numerics.ts";
import { createReplicaLinks } from "./replica-links.ts";
import { stateDigest } from "./state-digest.ts";

/** What one replica brings to a step. */
export interface ReplicaWork {
  readonly shard: RankShard;
  readonly contributes: boolean;
  readonly corruption?: Corruption;
}

export interface ComputedStep {
  /** Of each replica, afterwards. */
  readonly shards: readonly RankShard[];
  readonly loss: number;
  readonly gradientNorm: number;
  readonly samples: readonly [from: number, to: number];
}

/** The arithmetic of one job: whole states in, whole states out. */
export class JobNumbers {
  readonly first: RankShard;
  readonly #job: JobOptions;
  readonly #plans = new Map<number, JobPlan>();
  readonly #samples: number;

  constructor(job: JobOptions) {
    assert(
      (job.accumulate ?? "exact") === "exact",
      "only exact sums have the same bits everywhere",
    );
    this.#job = job;
    this.#samples = job.data?.samples ?? 1024;
    const plan = this.#plan(1);
    const alone = { index: 0, size: 1 };
    this.first = firstShards(plan, [{ dp: alone, tp: alone, pp: alone }])[0] as RankShard;
  }

  /** All replicas hold the same and nothing is wrong: one replica with the whole batch has the same bits. */
  async stepTogether(shard: RankShard): Promise<ComputedStep> {
    return this.stepEach([{ shard, contributes: true }]);
  }

  /** Each replica with its own part of the batch. */
  async stepEach(replicas: readonly ReplicaWork[]): Promise<ComputedStep> {
    const plan = this.#plan(replicas.length);
    const dtype = [...plan.model.params.values()][0]?.dtype ?? "f32";
    const links = createReplicaLinks({
      replicas: replicas.length,
      handedIn: (replica, numbers, name) => {
        // Whether everybody came is another exchange, and not the one that is ignored or corrupted.
        if (!name.startsWith("gradients")) return numbers;
        const { contributes, corruption } = replicas[replica] as ReplicaWork;
        if (!contributes) return null;
        return corruption === undefined ? numbers : corruptGradients(numbers, dtype, corruption);
      },
    });
    const steps = await Promise.all(
      replicas.map(({ shard }, replica) =>
        rankStep(plan, links[replica] as (typeof links)[number], shard),
      ),
    );
    const [first] = steps;
    assert(first !== undefined, "a step has a replica");
    const { data } = (replicas[0] as ReplicaWork).shard.common;
    const from = data.epoch * this.#samples + data.position;
    return {
      shards: steps.map(({ shard }) => shard),
      loss: first.loss,
      gradientNorm: first.gradientNorm,
      samples: [from, from + plan.batch],
    };
  }

  corrupted(shard: RankShard, corruption: Corruption): RankShard {
    return { ...shard, params: corruptParams(shard.params, corruption) };
  }

  /** The last `torn` of `of` equal parts of every tensor list are those of another state. */
  mixed(
    shard: RankShard,
    other: RankShard,
    { of, torn }: { readonly of: number; readonly torn: number },
  ): RankShard {
    assert(torn >= 0 && torn <= of && of >= 1, "some of the shards are torn");
    const share = (of - torn) / of;
    const { moments } = shard.optimizer;
    const mixedMoments = Object.entries(moments).map(([name, own]): [string, Params] => [
      name,
      mixTensors(own, other.optimizer.moments[name] ?? own, share),
    ]);
    return {
      ...shard,
      params: mixTensors(shard.params, other.params, share),
      optimizer: { ...shard.optimizer, moments: Object.fromEntries(mixedMoments) },
    };
  }

  cursorMoved(shard: RankShard, by: number): RankShard {
    const { common } = shard;
    const { epoch, position, seed } = common.data;
    const at = Math.max(0, epoch * this.#samples + position + by);
    const data = { epoch: Math.floor(at / this.#samples), position: at % this.#samples, seed };
    return { ...shard, common: { ...common, data } };
  }

  digest(shard: RankShard): string {
    return stateDigest(stateOfShard(shard));
  }

  #plan(replicas: number): JobPlan {
    const plan = this.#plans.get(replicas) ?? planJob(this.#job, { dp: replicas, tp: 1, pp: 1 });
    this.#plans.set(replicas, plan);
    return plan;
  }
}
