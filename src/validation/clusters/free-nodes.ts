import type { ClusterView } from "./cluster.ts";

/**
 * The seed's `get_free_node_list`: names of the nodes a check may be started on now, in the order of
 * the view. None when the view is not current: what was free a while ago may be in use.
 */
export function getFreeNodeList(view: ClusterView): readonly string[] {
  if (view.trust.state !== "current") return [];
  return view.nodes.filter((node) => node.notFree.length === 0).map((node) => node.name);
}
