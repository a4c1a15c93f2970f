import type { NodeListQuery, NodeListView, NodeRow } from "../api/nodes.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { compareNames } from "./name-order.ts";

/**
 * One page of the nodes of these clusters, in their order. The page after a cursor begins behind the
 * node it names, whether that one is still there or not.
 */
export function listNodes(
  snapshots: readonly Pick<ClusterSnapshot, "name" | "rows">[],
  query: NodeListQuery,
): NodeListView {
  const after = decodeCursor(query.cursor, "GET /api/v1/nodes");
  const isWanted = filterOf(query);
  const place = snapshots.findIndex(({ name }) => name === after?.[0]);
  // Nothing comes after a cluster that is gone.
  const startAt = after === undefined ? 0 : place < 0 ? snapshots.length : place;
  let total = 0;
  const nodes: NodeRow[] = [];
  let isMore = false;
  for (const [at, { name, rows }] of snapshots.entries()) {
    const isBefore = (row: NodeRow) =>
      at < startAt ||
      (after !== undefined && name === after[0] && compareNames(row.name, after[1]) <= 0);
    // Names are compared only until the first that comes after.
    let isPast = after === undefined || at > startAt;
    for (const row of rows) {
      const isHere = isPast || !isBefore(row);
      isPast = isHere;
      if (!isWanted(row)) continue;
      total++;
      if (!isHere) continue;
      if (nodes.length < query.limit) nodes.push(row);
      else isMore = true;
    }
  }
  const last = nodes.at(-1);
  const next = isMore && last !== undefined ? encodeCursor([last.cluster, last.name]) : null;
  return { nodes, total, next };
}

function filterOf(query: NodeListQuery): (row: NodeRow) => boolean {
  const { use, rack, sku } = query;
  const standings = query.standing === undefined ? undefined : new Set(query.standing);
  const search = query.search?.toLowerCase() ?? "";
  return (row) =>
    (standings === undefined || standings.has(row.standing)) &&
    (use === undefined || row.use === use) &&
    (rack === undefined || row.rack === rack) &&
    (sku === undefined || row.sku === sku) &&
    (search === "" ||
      row.name.toLowerCase().includes(search) ||
      row.rack.toLowerCase().includes(search) ||
      row.sku.toLowerCase().includes(search));
}
