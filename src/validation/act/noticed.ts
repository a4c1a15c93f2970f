import type { ClusterNode } from "../clusters/cluster.ts";
import type { NodeEvent } from "../history/history.ts";
import { deedsOf, type NodeDeeds } from "./node-record.ts";

/** How long a view may lag behind what we did ourselves. */
export const lagMs = 5 * 60_000;
/** A node that was closed just before a person's word about it is seen closed after this long. */
const wordLagMs = 60_000;

/**
 * What others did that the record does not tell, as events for it: they outlive this process, and are
 * noticed once. Without them a node that others opened and closed again would count as closed ever
 * since we closed it, and what it passed in between as passed while closed; and an old word to open it
 * would open it untested whenever it is next handed to us.
 *
 * @param given.nodes all nodes of a view that is current
 */
export function noticedEvents(given: {
  readonly cluster: string;
  readonly nodes: readonly ClusterNode[];
  readonly events: readonly NodeEvent[];
  readonly nowMs: number;
}): readonly NodeEvent[] {
  const { cluster, nodes, events, nowMs: atMs } = given;
  const deeds = deedsOf(events);
  return nodes.flatMap((seen) => {
    const known = deeds.get(seen.name);
    const news = known && newsOf(seen, known, atMs);
    return news === undefined ? [] : [{ cluster, node: seen.name, atMs, ...news }];
  });
}

function newsOf(
  seen: ClusterNode,
  { cordoned, override }: NodeDeeds,
  nowMs: number,
): Pick<NodeEvent, "kind" | "details"> | undefined {
  if (seen.awaitsAcceptance) return undefined;
  if (!seen.cordoned && cordoned !== undefined) {
    if (nowMs - cordoned.atMs < lagMs) return undefined;
    const reason = "it was closed by us and is open";
    // Not opened for what is known about it: nobody said so. Only the closing is over.
    const details = { reason, actor: "somebody else", runIds: [], seen: true };
    return { kind: "released", details };
  }
  if (override?.action !== "release" || nowMs - override.atMs < wordLagMs) return undefined;
  const state = seen.cordoned ? "closed by somebody else" : "open";
  const reason = `the word of ${override.actor} to open it has nothing to open: it is ${state}`;
  return { kind: "override", details: { action: "lapsed", reason, actor: "tessera" } };
}
