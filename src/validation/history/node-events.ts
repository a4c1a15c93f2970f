import { createHash } from "node:crypto";
import type {
  JsonObject,
  NewRow,
  Queryable,
  Store,
  StoredRow,
} from "../../platform/store/index.ts";
import { chunksOf } from "./chunks.ts";
import type { History, NodeEvent, NodeEventKind } from "./history.ts";

const limitDefault = 100_000;
const digestLength = 16;

/** Records events; the same event told again changes nothing. @see History.recordNodeEvents */
export async function recordNodeEvents(store: Store, events: readonly NodeEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(toRow);
  await store.transaction(async (trx) => {
    for (const part of chunksOf(rows)) {
      await trx
        .insertInto("node_events")
        .values([...part])
        .onConflict((conflict) =>
          conflict.columns(["cluster", "node", "at", "kind", "digest"]).doNothing(),
        )
        .execute();
    }
  });
}

/** @see History.nodeEvents */
export async function readNodeEvents(
  db: Queryable,
  filter: Parameters<History["nodeEvents"]>[0],
): Promise<readonly NodeEvent[]> {
  const { cluster, node, kinds, fromMs, limit = limitDefault } = filter;
  if (kinds?.length === 0) return [];
  let query = db.selectFrom("node_events").selectAll().where("cluster", "=", cluster);
  if (node !== undefined) query = query.where("node", "=", node);
  if (kinds !== undefined) query = query.where("kind", "in", kinds);
  if (fromMs !== undefined) query = query.where("at", ">=", fromMs);
  const rows = await query.orderBy("at", "desc").orderBy("seq", "desc").limit(limit).execute();
  return rows.map(toEvent).toReversed();
}

function toRow(event: NodeEvent): NewRow<"node_events"> {
  const { cluster, node, atMs: at, kind } = event;
  const details = JSON.stringify(event.details);
  const digest = createHash("sha256").update(details).digest("hex").slice(0, digestLength);
  return { cluster, node, at, kind, digest, details };
}

export function toEvent(row: StoredRow<"node_events">): NodeEvent {
  const details: JsonObject = JSON.parse(row.details);
  const { cluster, node, at, kind } = row;
  return { cluster, node, atMs: at, kind: kind as NodeEventKind, details };
}
