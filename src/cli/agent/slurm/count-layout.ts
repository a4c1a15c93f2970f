import type { LayoutWish, RankLayout } from "./layout.ts";

/**
 * The layout that all of several numbers of ranks fit into, or the sentence that says why there is
 * none: each number is on one node, or fills the nodes that it is on. Pure.
 */
export function layoutOfCounts(
  wish: Pick<LayoutWish, "nodes" | "ranksPerNode" | "gpusPerNode"> & {
    /** In rising order. */
    readonly counts: readonly number[];
    readonly gpus: boolean;
  },
): RankLayout | string {
  const { counts, gpus } = wish;
  const most = counts.at(-1) ?? 1;
  const fixed = typeof wish.ranksPerNode === "number" ? wish.ranksPerNode : undefined;
  const found = wish.gpusPerNode(wish.nodes ?? 1);
  const even = wish.nodes === undefined ? 1 : Math.ceil(most / wish.nodes);
  const byGpus = gpus && (wish.nodes === undefined || wish.ranksPerNode === "auto");
  const ranksPerNode = fixed ?? (byGpus ? Math.max(1, Math.min(found, most)) : even);
  const nodes = Math.ceil(most / ranksPerNode);
  if (wish.nodes !== undefined && nodes > wish.nodes) {
    return `${most} ranks do not fit on ${wish.nodes} nodes of ${ranksPerNode} each.`;
  }
  if (wish.nodes !== undefined && nodes < wish.nodes) {
    return `${most} ranks fill ${nodes} nodes of ${ranksPerNode} each, not ${wish.nodes}; change --ranks, --nodes or --ranks-per-node.`;
  }
  const uneven = counts.find((count) => count > ranksPerNode && count % ranksPerNode !== 0);
  if (uneven !== undefined) {
    return `${uneven} ranks do not fill nodes of ${ranksPerNode} each; leave that number out, or change --nodes or --ranks-per-node.`;
  }
  const least = wish.gpusPerNode(nodes);
  if (gpus && least < ranksPerNode) {
    return `Each rank needs a GPU of its own: ${nodes} nodes of that partition have ${least} each, not ${ranksPerNode}.`;
  }
  return { nodes, ranksPerNode, gpus };
}
