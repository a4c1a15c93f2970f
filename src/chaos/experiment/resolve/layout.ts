import assert from "node:assert/strict";
import type { Fleet, ParallelAxisName, Workload } from "../../plan/index.ts";

/** Places along the axes; those that are not given, and `*`, are all. */
export type MeshPlace = { readonly [Axis in ParallelAxisName]?: number | "*" | undefined };

interface Shape {
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
}

/** Who is where before anything breaks: rank r on device r. */
export interface Layout {
  /** Null where nobody can know beforehand: the processes of a command, pods. */
  readonly ranks: number | null;
  readonly shape: Shape;
  readonly nodes: number;
  readonly devicesPerNode: number;
  readonly nodesPerRack: number;
}

const axes = ["dp", "pp", "tp"] as const;

export function layoutOf(workload: Workload, fleet: Fleet): Layout {
  return {
    ranks: ranksOf(workload),
    shape: shapeOf(workload),
    nodes: fleet.nodes + fleet.spareNodes,
    devicesPerNode: fleet.devicesPerNode,
    nodesPerRack: fleet.nodesPerRack,
  };
}

export function ranksOf(workload: Workload): number | null {
  switch (workload.kind) {
    case "training":
      return workload.shape.dp * workload.shape.tp * workload.shape.pp;
    case "inference":
      return workload.replicas;
    case "command":
      return workload.workers === null ? 1 : null;
    case "pods":
    case "slurm":
      return null;
  }
}

/** The replicas of an inference job answer the same, each by itself. */
function shapeOf(workload: Workload): Shape {
  if (workload.kind === "training") return workload.shape;
  const dp = workload.kind === "inference" ? workload.replicas : 1;
  return { dp, tp: 1, pp: 1 };
}

/** The indices of a rank: tp varies fastest, then pp, then dp. */
export function placeOfRank(rank: number, { tp, pp }: Shape): Shape {
  return { dp: Math.floor(rank / (tp * pp)), pp: Math.floor(rank / tp) % pp, tp: rank % tp };
}

/** All ranks at a place, in order. */
export function ranksAt(place: MeshPlace, layout: Layout): readonly number[] {
  const { ranks, shape } = layout;
  assert(ranks !== null, "a mesh has ranks");
  return all(ranks).filter((rank) => {
    const own = placeOfRank(rank, shape);
    return axes.every((axis) => {
      const wanted = place[axis] ?? "*";
      return wanted === "*" || own[axis] === wanted;
    });
  });
}

/** The groups along an axis whose other indices are at a place: each the ranks that differ along it alone. */
export function groupsAlong(
  axis: ParallelAxisName,
  place: MeshPlace,
  layout: Layout,
): readonly (readonly number[])[] {
  const firsts = ranksAt({ ...place, [axis]: 0 }, layout);
  return firsts.map((first) => {
    const { dp, tp, pp } = placeOfRank(first, layout.shape);
    return ranksAt({ dp, tp, pp, [axis]: "*" }, layout);
  });
}

export function nodeOfRank(rank: number, { devicesPerNode }: Layout): number {
  return Math.floor(rank / devicesPerNode);
}

export function rackOfNode(node: number, { nodesPerRack }: Layout): number {
  return Math.floor(node / nodesPerRack);
}

/** Ranks that start on a node. */
export function ranksOfNode(node: number, layout: Layout): readonly number[] {
  const { devicesPerNode } = layout;
  const ranks = layout.ranks ?? 0;
  return all(devicesPerNode)
    .map((device) => node * devicesPerNode + device)
    .filter((rank) => rank < ranks);
}

export function nodesOfRack(rack: number, layout: Layout): readonly number[] {
  return all(layout.nodes).filter((node) => rackOfNode(node, layout) === rack);
}

export function racksOf({ nodes, nodesPerRack }: Layout): number {
  return Math.ceil(nodes / nodesPerRack);
}

/** 0 to count - 1. */
export function all(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}
