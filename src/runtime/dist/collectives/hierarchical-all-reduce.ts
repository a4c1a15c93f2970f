import type { Block, DistTensor } from "../array/index.ts";
import { badCall, begin, type Call } from "./call.ts";
import { requireEqualShapes } from "./equal-shapes.ts";
import { finish, localBytes } from "./finish.ts";
import type { CollectiveOptions, ReductionOptions } from "./options.ts";
import { placed } from "./placed.ts";
import { type Phase, preflight } from "./preflight.ts";
import { type Chunk, reduceGroups, resolveReduction } from "./reduction.ts";
import { ring } from "./routes.ts";
import { report } from "./timing.ts";

export interface HierarchicalOptions extends Omit<ReductionOptions, "over"> {
  /** Axes inside a node. Default: the last axis; on a mesh of one axis, the nodes of the topology. */
  readonly intra?: string | readonly string[];
  /** Axes between nodes. Default: all others. */
  readonly inter?: string | readonly string[];
}

/**
 * An all-reduce in three phases: a reduce-scatter inside each node leaves every device of a node
 * with one chunk, an all-reduce of each chunk between the nodes (on "rails", one for each chunk)
 * completes it, and an all-gather inside each node hands all chunks to all devices. By default the
 * bits are those of `allReduce`: partial sums travel unrounded.
 *
 * @throws E_COLLECTIVE when the parts differ in shape or an axis is both inside and between nodes;
 *   E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function hierarchicalAllReduce(
  x: DistTensor,
  options: HierarchicalOptions = {},
): DistTensor {
  const levels = levelsOf(x, options);
  const { only, algorithm } = options;
  const over: CollectiveOptions = {
    over: [...levels.inter, ...levels.intra],
    ...(only === undefined ? {} : { only }),
    ...(algorithm === undefined ? {} : { algorithm }),
  };
  const call = begin("hierarchical-all-reduce", x, over);
  requireEqualShapes(call);
  const nodesIn = (group: readonly number[]) => nodesOf(call, levels, group);
  const { slowdown } = preflight(call, phasesOf(call, nodesIn));
  const reduction = resolveReduction(call, options, () => "ring");
  const blocks = reduceGroups(call, reduction, (size, group) => chunksOf(size, nodesIn(group)));
  const result = finish(call, {
    placements: placed(call, () => ({ kind: "replicate" })),
    blockOf: (rank) => blocks.get(rank) as Block,
  });
  const { dtype, shape } = call.x;
  const bytes = localBytes(call, call.groups[0] ?? []);
  const { notes } = reduction;
  return result(report(call, { bytes, dtype, shape, slowdown, reduce: reduction, notes }));
}

/** Positions in a group, node by node. */
type Nodes = readonly (readonly number[])[];

interface Levels {
  readonly inter: readonly string[];
  readonly intra: readonly string[];
}

function levelsOf({ mesh }: DistTensor, options: HierarchicalOptions): Levels {
  const fixed = Object.keys(options.only ?? {});
  const axes = mesh.axes.filter((axis) => !fixed.includes(axis));
  const given = listOf(options.intra);
  const taken = listOf(options.inter);
  const intra = given ?? axes.filter((axis) => !(taken ?? []).includes(axis)).slice(-1);
  const inter = taken ?? axes.filter((axis) => !intra.includes(axis));
  const both = inter.find((axis) => intra.includes(axis));
  if (both === undefined) return { intra, inter };
  throw badCall(
    "hierarchical-all-reduce",
    `the axis ${both} is both inside nodes and between them`,
    "Name each axis in `intra` or in `inter`, not in both.",
  );
}

function listOf(axes: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof axes === "string" ? [axes] : axes;
}

/**
 * The nodes of a group, as positions in it: those with the same coordinates between nodes. Where
 * there is no axis between nodes, those whose devices share a node of the machine.
 */
function nodesOf({ mesh }: Call, { intra, inter }: Levels, group: readonly number[]): Nodes {
  const perNode = intra.reduce((product, axis) => product * mesh.axisSize(axis), 1);
  const nodeAt = (rank: number, position: number) =>
    inter.length > 0 ? Math.floor(position / perNode) : mesh.nodeOf(rank);
  const nodes = new Map<number, number[]>();
  for (const [position, rank] of group.entries()) {
    const node = nodeAt(rank, position);
    nodes.set(node, [...(nodes.get(node) ?? []), position]);
  }
  return [...nodes.values()];
}

/**
 * One chunk for each device of the smallest node, the last ones shorter or empty. Device c of every
 * node owns chunk c between the nodes.
 */
function chunksOf(size: number, nodes: Nodes): readonly Chunk[] {
  const owners = ownersIn(nodes);
  const each = Math.ceil(size / owners);
  return Array.from({ length: owners }, (_, owner) => {
    const start = Math.min(size, owner * each);
    return { start, count: Math.min(size, start + each) - start, groups: nodes };
  });
}

function ownersIn(nodes: Nodes): number {
  return Math.min(...nodes.map((node) => node.length));
}

function phasesOf(
  { groups }: Call,
  nodesIn: (group: readonly number[]) => Nodes,
): readonly Phase[] {
  const inside = function* () {
    for (const group of groups) {
      for (const node of nodesIn(group)) yield* ring(at(group, node));
    }
  };
  const between = function* () {
    for (const group of groups) {
      const nodes = nodesIn(group);
      for (let owner = 0; owner < ownersIn(nodes); owner++) {
        const rail = nodes.map((node) => node[owner] ?? 0);
        yield* ring(at(group, rail));
      }
    }
  };
  return [
    { name: "reduce-scatter intra", hops: inside },
    { name: "all-reduce inter", hops: between },
    { name: "all-gather intra", hops: inside },
  ];
}

function at(group: readonly number[], positions: readonly number[]): number[] {
  return positions.map((position) => group[position] ?? 0);
}
