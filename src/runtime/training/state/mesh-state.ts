import type { State } from "../../checkpoint/state.ts";
import {
  DistTensor,
  type LayoutSpec,
  type Mesh,
  replicate,
  resolveLayout,
  shardSpec,
} from "../../dist/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { Params } from "../../tensor/nn/index.ts";
import { placeOf } from "../links/index.ts";
import type { ShardParam } from "../model/index.ts";
import { type JobPlan, namesOfStage, type RankShard } from "../step/index.ts";
import type { TrainingState } from "../training-job.ts";
import { type PartOf, readShards } from "./read-shards.ts";
import { type StateTensor, wholeOf } from "./read-state.ts";
import { partOfRank } from "./shards.ts";

/** A job's plan on its mesh. */
export interface MeshJob {
  readonly plan: JobPlan;
  readonly mesh: Mesh;
}

/** What lies on the ranks as one state. Nothing is copied. */
export function stateOf(job: MeshJob, shards: readonly RankShard[]): TrainingState {
  const [first] = shards as [RankShard, ...RankShard[]];
  const { step, rng, data, hyper } = first.common;
  const moments = job.plan.optimizer.moments.map((moment) => [
    moment,
    onMesh(job, (rank) => shards[rank]?.optimizer.moments[moment] ?? {}),
  ]);
  return {
    step,
    model: onMesh(job, (rank) => shards[rank]?.params ?? {}),
    optimizer: { step: first.optimizer.step, ...Object.fromEntries(moments) },
    rng: { ...rng },
    data: { ...data },
    hyper: { ...hyper },
  };
}

/** Every parameter (or moment) as a tensor on the mesh. */
export function onMesh(
  { plan, mesh }: MeshJob,
  heldBy: (rank: number) => Params,
): Readonly<Record<string, DistTensor>> {
  const held = mesh.devices.map((_, rank) => heldBy(rank));
  const owners = ownersOf({ plan, mesh });
  const tensors = [...plan.model.params.values()].map((param) => {
    const locals = (rank: number) => held[owners(param.name, rank)]?.[param.name] as Tensor;
    const { shape } = param;
    return [
      param.name,
      DistTensor.fromLocals({ mesh, layout: layoutOf(mesh, param), shape, locals }),
    ];
  });
  return Object.fromEntries(tensors);
}

/** @throws E_SHAPE for a state of another job. */
export function shardsFrom(job: MeshJob, state: State): readonly RankShard[] {
  const { plan, mesh } = job;
  const places = mesh.devices.map((_, rank) => placeOf(mesh, rank));
  return readShards(plan, state, { places, partOf: partReader(job) });
}

/** A rank's part of a tensor; ranks with equal parts get one object where they may. */
function partReader({ mesh }: MeshJob): PartOf {
  const wholes = new Map<StateTensor, Tensor>();
  const parts = new Map<Tensor, Map<number, Tensor>>();
  return (tensor, param, { rank, place }) => {
    if (tensor instanceof DistTensor && liesAsOurs(mesh, tensor, param)) {
      return tensor.local(rank).contiguous();
    }
    const whole = wholes.get(tensor) ?? wholeOf(tensor);
    wholes.set(tensor, whole);
    const known = parts.get(whole) ?? new Map<number, Tensor>();
    const part = known.get(place.tp.index) ?? partOfRank(whole, param, place);
    parts.set(whole, known.set(place.tp.index, part));
    return part;
  };
}

function liesAsOurs(mesh: Mesh, tensor: DistTensor, param: ShardParam): boolean {
  const { shape } = param;
  const ours = resolveLayout(layoutOf(mesh, param), { mesh, shape });
  return tensor.mesh.equals(mesh) && tensor.layout.equals(ours);
}

function layoutOf(mesh: Mesh, { split }: ShardParam): LayoutSpec {
  if (split === undefined || !mesh.axes.includes("tp")) return replicate();
  return shardSpec({ partition: [split], meshAxes: ["tp"] });
}

/**
 * Who holds a parameter in place of a rank: the rank itself, or the one of the first stage that has
 * it. A mesh has no word for tensors that only some of its ranks hold, so along `pp` the others are
 * said to have what the owner has.
 */
function ownersOf({ plan, mesh }: MeshJob): (name: string, rank: number) => number {
  const stages = plan.stages.map((_, stage) => new Set(namesOfStage(plan, stage)));
  return (name, rank) => {
    if (stages.length === 1) return rank;
    const { index } = placeOf(mesh, rank).pp;
    const owner = stages[index]?.has(name) ? index : stages.findIndex((names) => names.has(name));
    return mesh.rankOf(mesh.coordinatesOf(rank).with(mesh.axisIndex("pp"), owner));
  };
}
