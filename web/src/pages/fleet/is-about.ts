/** Whether an event is about this cluster, and about this node where one is named. */
export function isAbout(data: unknown, cluster: string, node?: string): boolean {
  if (typeof data !== "object" || data === null) return false;
  if (!("cluster" in data) || data.cluster !== cluster) return false;
  // An event that names no node may be about any of them.
  return node === undefined || !("node" in data) || data.node === node;
}
