import assert from "node:assert/strict";
import { TesseraError } from "../../platform/errors/index.ts";
import type { State } from "../checkpoint/state.ts";
import { type DistTensor, type Mesh, spmd } from "../dist/index.ts";
import { digestOfAll, digestsOf } from "./digest-params.ts";
import { createMeshLinks, createShareMemo, parallelAxes, placeOf } from "./links/index.ts";
import type { CollectiveCall, StepReport, TrainingOptions } from "./options.ts";
import { firstShards, type MeshJob, onMesh, shardsFrom, stateOf } from "./state/index.ts";
import { planJob, type RankShard, type RankStep, rankStep } from "./step/index.ts";
import { reportOf } from "./step-report.ts";
import type { TrainingJob, TrainingState } from "./training-job.ts";

/**
 * A training job on the devices of a mesh:
 *
 * ```ts
 * const job = createTrainingJob({
 *   model: { kind: "mlp", inputs: 2, hidden: [16], outputs: 2 },
 *   optimizer: { kind: "adamW", learningRate: 0.01 },
 *   batch: 16, seed: 42,
 *   mesh: new Mesh({ axes: ["dp", "tp"], shape: [4, 2], devices: 8 }),
 * });
 * const { loss } = await job.step();
 * await checkpoint.save("step1", job.state(), { root });
 * ```
 *
 * Samples are cut over `dp`, the columns and rows of affine maps and the heads of attention over
 * `tp`, layers over `pp`. Every exchange goes through the mesh's own collectives: faults, profiles and
 * modelled times see it.
 *
 * @throws E_SHAPE when the job cannot be cut over the mesh; E_MESH_AXES for an axis of another name.
 */
export function createTrainingJob(options: TrainingOptions): TrainingJob {
  return new MeshTrainingJob(options);
}

class MeshTrainingJob implements TrainingJob {
  readonly mesh: Mesh;
  readonly #options: TrainingOptions;
  readonly #job: MeshJob;
  #shards: readonly RankShard[];
  #parameters: Readonly<Record<string, DistTensor>> | undefined;
  /** The step that is running, and those that wait for it. */
  #last: Promise<void> = Promise.resolve();
  /** Steps that were asked for and have not ended. */
  #pending = 0;

  constructor(options: TrainingOptions) {
    const { mesh } = options;
    checkAxes(mesh);
    const { dp, tp, pp } = placeOf(mesh, 0);
    const plan = planJob(options, { dp: dp.size, tp: tp.size, pp: pp.size });
    this.mesh = mesh;
    this.#options = options;
    this.#job = { plan, mesh };
    this.#shards = firstShards(
      plan,
      mesh.devices.map((_, rank) => placeOf(mesh, rank)),
    );
  }

  get stepsDone(): number {
    return this.#shards[0]?.common.step ?? 0;
  }

  get parameters(): Readonly<Record<string, DistTensor>> {
    const shards = this.#shards;
    this.#parameters ??= onMesh(this.#job, (rank) => shards[rank]?.params ?? {});
    return this.#parameters;
  }

  step(): Promise<StepReport> {
    const step = this.#last.then(() => this.#step());
    this.#pending++;
    // Whoever called for a step is told of its end; the next one only waits for it.
    const end = () => {
      this.#pending--;
    };
    this.#last = step.then(end, end);
    return step;
  }

  state(): TrainingState {
    return stateOf(this.#job, this.#shards);
  }

  restore(state: State): void {
    assert(this.#pending === 0, "a job is restored between its steps: await step() first");
    this.#become(shardsFrom(this.#job, state));
  }

  digest(): string {
    return digestOfAll(this.digests());
  }

  digests(): Readonly<Record<string, string>> {
    return digestsOf(this.parameters);
  }

  async #step(): Promise<StepReport> {
    const { hooks } = this.#options;
    const { lossScale } = (this.#shards[0] as RankShard).common.hyper;
    const ranks = await this.#onRanks();
    this.#become(ranks.map(({ shard }) => shard));
    const { parameters } = this;
    const report = reportOf(ranks[0] as RankStep, { lossScale, parameters });
    hooks?.onStep?.(report);
    return report;
  }

  /** Runs every rank's part; a failure of a hook or the signal comes out as it was thrown. */
  async #onRanks(): Promise<readonly RankStep[]> {
    const { plan } = this.#job;
    const shards = this.#shards;
    const shared = createShareMemo();
    const guard = new HookGuard(this.#options, this.stepsDone);
    this.#options.signal?.throwIfAborted();
    try {
      return await spmd(this.mesh, (rank) => {
        const links = createMeshLinks({ rank, shared, before: (call) => guard.before(call) });
        return rankStep(plan, links, shards[rank.index] as RankShard);
      });
    } catch (error) {
      throw guard.original(error);
    }
  }

  #become(shards: readonly RankShard[]): void {
    this.#shards = shards;
    this.#parameters = undefined;
  }
}

/** Runs the caller's own code inside ranks, and knows its errors again. */
class HookGuard {
  readonly #options: TrainingOptions;
  readonly #step: number;
  #thrown: { readonly error: unknown } | undefined;

  constructor(options: TrainingOptions, step: number) {
    this.#options = options;
    this.#step = step;
  }

  before(call: Omit<CollectiveCall, "step">): void {
    const { hooks, signal } = this.#options;
    try {
      signal?.throwIfAborted();
      hooks?.beforeCollective?.({ step: this.#step, ...call });
    } catch (error) {
      this.#thrown ??= { error };
      throw error;
    }
  }

  original(error: unknown): unknown {
    const isOfHook =
      this.#thrown !== undefined &&
      error instanceof TesseraError &&
      error.code === "E_RANK_FAILED" &&
      error.cause === this.#thrown.error;
    return isOfHook ? this.#thrown?.error : error;
  }
}

function checkAxes(mesh: Mesh): void {
  const known: readonly string[] = parallelAxes;
  const other = mesh.axes.filter((axis) => !known.includes(axis));
  if (other.length === 0) return;
  throw new TesseraError("E_MESH_AXES", {
    axes: mesh.axes.join(", "),
    problem: `a training job knows ${known.join(", ")} and not ${other.join(", ")}`,
  });
}
