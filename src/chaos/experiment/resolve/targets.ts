import type { RngStream } from "../../../platform/rng/index.ts";
import type { Target } from "../../plan/index.ts";
import type { TargetGiven } from "../schema/index.ts";
import {
  all,
  groupsAlong,
  type Layout,
  nodesOfRack,
  racksOf,
  ranksAt,
  ranksOfNode,
} from "./layout.ts";

/** A pod that a cluster has, for targets that are chosen by chance. */
export interface KnownPod {
  readonly namespace: string;
  readonly name: string;
}

export interface TargetContext {
  readonly layout: Layout;
  /** What the selector of the workload finds; absent where nobody looked. */
  readonly pods?: readonly KnownPod[] | undefined;
  /** Those the job of the workload holds; absent where nobody looked. */
  readonly jobNodes?: readonly string[] | undefined;
  /** Of this one fault. */
  readonly chance: RngStream;
}

type Random = NonNullable<TargetGiven["random"]>;

/** Why a target cannot be, in a few words. */
export class TargetProblem extends Error {
  override readonly name = "TargetProblem";
}

/** What a selector stands for, nothing left to be chosen. @throws TargetProblem */
export function resolveTarget(given: TargetGiven, context: TargetContext): readonly Target[] {
  const { layout } = context;
  const { rank, device, node, mesh, group, sides, link, pod, kubernetesNode, random } = given;
  if (given.asymmetric !== undefined && sides === undefined) {
    throw new TargetProblem("`asymmetric` belongs to `sides`");
  }
  const ranks = given.ranks ?? given.devices ?? list(rank ?? device);
  if (ranks !== undefined) return ranks.map((one) => rankTarget(one, layout));
  const nodes = given.nodes ?? list(node);
  if (nodes !== undefined) return nodes.map((one) => nodeTarget(one, layout));
  if (given.rack !== undefined) return rackTargets(given.rack, layout);
  if (mesh !== undefined) {
    return known(ranksIn(mesh, layout), "the mesh has no rank at this place").map((one) =>
      rankTarget(one, layout),
    );
  }
  if (group !== undefined) return groupTargets(group, layout);
  if (sides !== undefined) return [cut(sides, given.asymmetric ?? false, layout)];
  if (link !== undefined) return [linkTarget(link, layout)];
  if (given.storage !== undefined) return [{ kind: "storage" }];
  if (pod !== undefined) return [{ kind: "pod", ...pod }];
  if (kubernetesNode !== undefined) return [{ kind: "kubernetes-node", name: kubernetesNode }];
  if (given.slurmJob !== undefined) return [{ kind: "slurm-job" }];
  if (given.slurmNode !== undefined) return [{ kind: "slurm-node", name: given.slurmNode }];
  if (random !== undefined) return chosen(random, context);
  throw new TargetProblem("the target names nothing");
}

function rankTarget(rank: number, { ranks }: Layout): Target {
  if (ranks !== null && rank >= ranks) {
    throw new TargetProblem(`there is no rank ${rank}: the job has ranks 0 to ${ranks - 1}`);
  }
  return { kind: "rank", rank };
}

function nodeTarget(node: number, { nodes }: Layout): Target {
  if (node >= nodes) {
    throw new TargetProblem(`there is no node ${node}: the fleet has nodes 0 to ${nodes - 1}`);
  }
  return { kind: "node", node };
}

function rackTargets(rack: number, layout: Layout): readonly Target[] {
  const nodes = known(nodesOfRack(rack, layout), `there is no rack ${rack}`);
  return nodes.map((node) => nodeTarget(node, layout));
}

function groupTargets(
  { axis, of = {}, ranks }: NonNullable<TargetGiven["group"]>,
  layout: Layout,
): readonly Target[] {
  if (ranks !== undefined) {
    for (const rank of ranks) rankTarget(rank, layout);
    return [{ kind: "group", axis, ranks }];
  }
  if (layout.ranks === null) throw noMesh();
  if (layout.shape[axis] === 1) {
    throw new TargetProblem(`nobody exchanges along ${axis}: the mesh has one rank along it`);
  }
  const groups = known(groupsAlong(axis, of, layout), "the mesh has no group at this place");
  return groups.map((members) => ({ kind: "group", axis, ranks: members }));
}

function cut(sides: readonly (readonly number[])[], asymmetric: boolean, layout: Layout): Target {
  const named = sides.flat();
  for (const rank of named) rankTarget(rank, layout);
  const twice = named.find((rank, at) => named.indexOf(rank) !== at);
  if (twice !== undefined) throw new TargetProblem(`rank ${twice} is on two sides of the cut`);
  if (sides.length === 1 && named.length === layout.ranks) {
    throw new TargetProblem("all ranks are on one side: nothing is cut");
  }
  return { kind: "cut", sides, asymmetric };
}

function linkTarget(link: NonNullable<TargetGiven["link"]>, layout: Layout): Target {
  rankTarget(link.from, layout);
  rankTarget(link.to, layout);
  if (link.from === link.to) throw new TargetProblem(`rank ${link.from} has no link to itself`);
  return { kind: "link", ...link };
}

function chosen(
  random: Random,
  { layout, pods, jobNodes, chance }: TargetContext,
): readonly Target[] {
  const { count, of } = random;
  if (random.among !== undefined && of !== "ranks" && of !== "devices") {
    throw new TargetProblem(`\`among\` is a place of ranks, and ${of} are chosen`);
  }
  const pick = <T>(from: readonly T[]): readonly T[] => {
    if (count > from.length) {
      throw new TargetProblem(`${count} ${of} are wanted, and there are ${from.length}`);
    }
    // The order of the draw says nothing; sorted by place, equal choices read the same.
    const drawn = new Set(chance.shuffle(all(from.length)).slice(0, count));
    return from.filter((_, at) => drawn.has(at));
  };
  switch (of) {
    case "ranks":
    case "devices":
      return pick(ranksIn(random.among ?? {}, layout)).map((rank) => rankTarget(rank, layout));
    case "nodes":
      return pick(nodesWithRanks(layout)).map((node) => nodeTarget(node, layout));
    case "racks":
      return pick(all(racksOf(layout))).flatMap((rack) => rackTargets(rack, layout));
    case "replicas":
      if (layout.ranks === null) throw noMesh();
      return pick(all(layout.shape.dp))
        .flatMap((dp) => ranksAt({ dp }, layout))
        .map((rank) => rankTarget(rank, layout));
    case "pods":
      if (pods === undefined) {
        throw new TargetProblem(
          "pods are chosen where a cluster says which there are: world kubernetes",
        );
      }
      return pick(pods).map(({ namespace, name }) => ({ kind: "pod", namespace, name }));
    case "jobNodes":
      if (jobNodes === undefined) {
        throw new TargetProblem(
          "nodes of a job are chosen where Slurm says which it holds: world slurm",
        );
      }
      return pick(jobNodes).map((name) => ({ kind: "slurm-node", name }));
  }
}

function nodesWithRanks(layout: Layout): readonly number[] {
  return all(layout.nodes).filter((node) => ranksOfNode(node, layout).length > 0);
}

function ranksIn(place: Parameters<typeof ranksAt>[0], layout: Layout): readonly number[] {
  if (layout.ranks === null) throw noMesh();
  return ranksAt(place, layout);
}

function noMesh(): TargetProblem {
  return new TargetProblem("this workload has no mesh: name ranks by their number");
}

function known<T>(found: readonly T[], otherwise: string): readonly T[] {
  if (found.length === 0) throw new TargetProblem(otherwise);
  return found;
}

function list(one: number | undefined): readonly number[] | undefined {
  return one === undefined ? undefined : [one];
}
