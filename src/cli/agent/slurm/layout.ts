import type { SlurmNode, SlurmPartition } from "../../../platform/slurm/index.ts";
import { worldSizeMax } from "../../../runtime/ranks/world/messages.ts";

/** How ranks are laid out over nodes. */
export interface RankLayout {
  readonly nodes: number;
  readonly ranksPerNode: number;
  /** Each rank has one GPU of its own. */
  readonly gpus: boolean;
}

export interface LayoutWish {
  readonly nodes: number | undefined;
  readonly ranksPerNode: number | "auto" | undefined;
  /** Of all nodes together. */
  readonly ranks: number | undefined;
  /** Whether each rank needs a GPU; undefined: when there are enough. */
  readonly gpus: boolean | undefined;
  /** How many GPUs so many nodes of the partition have at least, each. */
  readonly gpusPerNode: (nodes: number) => number;
}

const nodesDefault = 2;

/** The layout that a wish comes to, or the sentence that says why there is none. Pure. */
export function layoutOf(wish: LayoutWish): RankLayout | string {
  const { ranks } = wish;
  const fixed = wish.ranksPerNode === "auto" ? undefined : wish.ranksPerNode;
  const nodes = wish.nodes ?? nodesFor(ranks, fixed);
  const found = wish.gpusPerNode(nodes);
  const auto = wish.gpus === false ? 1 : Math.max(1, found);
  const spread = ranks !== undefined && wish.ranksPerNode !== "auto" ? ranks / nodes : auto;
  const ranksPerNode = fixed ?? spread;
  if (!Number.isInteger(ranksPerNode)) {
    return `${ranks} ranks cannot be shared out evenly over ${nodes} nodes.`;
  }
  if (ranks !== undefined && ranks !== nodes * ranksPerNode) {
    return `${ranks} ranks are not ${nodes} nodes of ${ranksPerNode} each.`;
  }
  if (nodes * ranksPerNode > worldSizeMax) {
    return `${nodes} nodes of ${ranksPerNode} ranks each are more than the ${worldSizeMax} ranks that can meet.`;
  }
  const enough = found >= ranksPerNode;
  if (wish.gpus === true && !enough) {
    return `Each rank needs a GPU of its own: ${nodes} nodes of that partition have ${found} each, not ${ranksPerNode}.`;
  }
  return { nodes, ranksPerNode, gpus: wish.gpus ?? enough };
}

function nodesFor(ranks: number | undefined, ranksPerNode: number | undefined): number {
  if (ranks === undefined || ranksPerNode === undefined) return Math.min(nodesDefault, ranks ?? 2);
  return Math.ceil(ranks / ranksPerNode);
}

/** How many GPUs so many nodes of a partition have at least, each. Pure. */
export function gpusPerNodeIn(
  about: {
    readonly nodes: readonly SlurmNode[];
    readonly partitions: readonly SlurmPartition[];
    /** @default the cluster's own default */
    readonly partition: string | undefined;
  },
  count: number,
): number {
  const partition =
    about.partition ?? about.partitions.find(({ isDefault }) => isDefault)?.name ?? "";
  const counts = about.nodes
    .filter(({ partitions, state }) => partitions.includes(partition) && state !== "DOWN")
    .map(({ gres }) => gres.reduce((sum, one) => sum + (one.name === "gpu" ? one.count : 0), 0))
    .toSorted((a, b) => b - a);
  return counts[count - 1] ?? 0;
}
