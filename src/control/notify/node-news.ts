import type { News } from "./news.ts";
import type { ClosedNode, NodeNow } from "./read-nodes.ts";

/** What is new about nodes, and what to remember so that it is told once. */
export interface NodeNews {
  readonly news: readonly News[];
  /** By key, what each node was told to be, or which closing of it was told last. */
  readonly told: ReadonlyMap<string, string>;
}

export function nodeKey(cluster: string, node: string): string {
  return `node/${cluster}/${node}`;
}

/**
 * A node that fails is told once, and once more when all its checks are well. What cannot be decided
 * changes nothing: unknown is neither a recovery nor a failure.
 */
export function nodeNews(nodes: readonly NodeNow[], before: ReadonlyMap<string, string>): NodeNews {
  const news: News[] = [];
  const told = new Map<string, string>();
  for (const now of nodes) {
    const key = nodeKey(now.cluster, now.node);
    const wasFailing = before.get(key) === "failing";
    const { standing } = now;
    if (standing.state === "failing" && !wasFailing) {
      const { runId, atMs } = standing.because;
      const reason = `${standing.check}: ${standing.because.reason}`;
      news.push(newsOf(now, { event: "node.failed", title: "failed", reason, runId, atMs }));
      told.set(key, "failing");
    }
    if (standing.state === "well" && wasFailing) {
      const reason = "All its checks are well again.";
      const { runId, atMs } = standing.because;
      news.push(newsOf(now, { event: "node.recovered", title: "recovered", reason, runId, atMs }));
      told.set(key, "well");
    }
  }
  return { news, told };
}

export function closedKey(cluster: string, node: string): string {
  return `closed/${cluster}/${node}`;
}

/**
 * A node is told of once each time it is closed, to whoever wanted it then. By the number of the
 * record: the message may be forgotten by the time it is read again, and time is the cluster's own.
 */
export function closedNews(
  closed: readonly ClosedNode[],
  before: ReadonlyMap<string, string>,
): NodeNews {
  const news: News[] = [];
  const told = new Map<string, string>();
  for (const one of closed) {
    const key = closedKey(one.cluster, one.node);
    if (one.seq <= Number(told.get(key) ?? before.get(key) ?? 0)) continue;
    told.set(key, String(one.seq));
    news.push(closingOf(one));
  }
  return { news, told };
}

function closingOf({ cluster, node, atMs, reason, provenance }: ClosedNode): News {
  return {
    event: "node.closed",
    occurrence: [cluster, node, String(atMs)],
    provenance,
    cluster,
    node,
    title: `Node ${node} of ${cluster} was closed to users`,
    reason,
    atMs,
    path: nodePath(cluster, node),
  };
}

function newsOf(
  { cluster, node, provenance }: NodeNow,
  what: {
    readonly event: "node.failed" | "node.recovered";
    readonly title: string;
    readonly reason: string;
    readonly runId: string;
    readonly atMs: number;
  },
): News {
  const { event, title, reason, runId, atMs } = what;
  return {
    event,
    occurrence: [cluster, node, runId],
    provenance,
    cluster,
    node,
    title: `Node ${node} of ${cluster} ${title}`,
    reason,
    atMs,
    path: nodePath(cluster, node),
  };
}

function nodePath(cluster: string, node: string): string {
  return `/nodes/${encodeURIComponent(cluster)}/${encodeURIComponent(node)}`;
}
