import type { ChaosPlan, PlannedFault, Target } from "../plan/index.ts";

export interface Shape {
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
}

interface Coordinates {
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
}

const axes = ["dp", "tp", "pp"] as const;

/**
 * The faults of a plan in a smaller mesh. The places along each axis that a fault names move together, in
 * their order, so that faults of different ranks stay faults of different ranks; null when there is no room
 * for them.
 */
export function remapFaults(
  plan: ChaosPlan,
  from: Shape,
  to: Shape,
): readonly PlannedFault[] | null {
  const perNode = plan.fleet.devicesPerNode;
  const ranks = sizeOf(from);
  const used = plan.faults.flatMap(({ targets }) =>
    targets.flatMap((one) => ranksOf(one, perNode)),
  );
  const places = used.filter((rank) => rank < ranks).map((rank) => coordinates(rank, from));
  const maps = axes.map((axis) => compact(new Set(places.map((place) => place[axis])), to[axis]));
  const [dp, tp, pp] = maps;
  if (dp === null || tp === null || pp === null) return null;
  const moved = (rank: number): number => {
    if (rank >= ranks) return rank - ranks + sizeOf(to);
    const at = coordinates(rank, from);
    const place = (map: typeof dp, axis: (typeof axes)[number]): number =>
      map?.get(at[axis]) ?? Math.min(at[axis], to[axis] - 1);
    return rankAt({ dp: place(dp, "dp"), tp: place(tp, "tp"), pp: place(pp, "pp") }, to);
  };
  return plan.faults.map((fault) => ({
    ...fault,
    params: withShard(fault.params, moved, ranks),
    targets: unique(fault.targets.map((target) => movedTarget(target, moved, perNode))),
  }));
}

/** Places that are in use move to the front; place 0 stays free when nobody names it and there is room. */
function compact(used: ReadonlySet<number>, room: number): ReadonlyMap<number, number> | null {
  if (used.size > room) return null;
  const shift = !used.has(0) && used.size < room ? 1 : 0;
  const sorted = [...used].toSorted((a, b) => a - b);
  return new Map(sorted.map((place, at) => [place, at + shift]));
}

function movedTarget(target: Target, moved: (rank: number) => number, perNode: number): Target {
  const movedAll = (ranks: readonly number[]) => [...new Set(ranks.map(moved))];
  switch (target.kind) {
    case "rank":
      return { ...target, rank: moved(target.rank) };
    case "node":
      return { ...target, node: Math.floor(moved(target.node * perNode) / perNode) };
    case "cut":
      return { ...target, sides: target.sides.map(movedAll) };
    case "link":
      return { ...target, from: moved(target.from), to: moved(target.to) };
    case "group":
      return { ...target, ranks: movedAll(target.ranks) };
    case "storage":
    case "pod":
    case "kubernetes-node":
    case "slurm-job":
    case "slurm-node":
      return target;
  }
}

/** Ranks whose place matters: of a group or a side, only one that stands for it. */
function ranksOf(target: Target, perNode: number): readonly number[] {
  switch (target.kind) {
    case "rank":
      return [target.rank];
    case "node":
      return [target.node * perNode];
    case "cut":
      return target.sides.flatMap((side) => side.slice(0, 1));
    case "link":
      return [target.from, target.to];
    case "group":
      return target.ranks.slice(0, 1);
    case "storage":
    case "pod":
    case "kubernetes-node":
    case "slurm-job":
    case "slurm-node":
      return [];
  }
}

function withShard(
  params: PlannedFault["params"],
  moved: (rank: number) => number,
  ranks: number,
): PlannedFault["params"] {
  const { shard } = params;
  return typeof shard === "number" && shard < ranks ? { ...params, shard: moved(shard) } : params;
}

function unique(targets: readonly Target[]): readonly Target[] {
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()];
}

export function sizeOf({ dp, tp, pp }: Shape): number {
  return dp * tp * pp;
}

function coordinates(rank: number, { tp, pp }: Shape): Coordinates {
  return { tp: rank % tp, pp: Math.floor(rank / tp) % pp, dp: Math.floor(rank / (tp * pp)) };
}

function rankAt({ dp, tp, pp }: Coordinates, shape: Shape): number {
  return (dp * shape.pp + pp) * shape.tp + tp;
}
