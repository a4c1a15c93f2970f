import type { Queryable } from "../../platform/store/index.ts";
import type { NodeEvent, NodeEventKind } from "./history.ts";
import { toEvent } from "./node-events.ts";

const pageSize = 2000;
/** Older events than these many are not looked at. */
const lookedAtMax = 100_000;

/**
 * The newest event of each node before a time, of any of these kinds; read in pages, of which nothing
 * else is kept.
 */
export async function newestEvents(
  db: Queryable,
  given: {
    readonly cluster: string;
    readonly kinds: readonly NodeEventKind[];
    readonly beforeMs: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReadonlyMap<string, NodeEvent>> {
  const { cluster, kinds, beforeMs, signal } = given;
  const newest = new Map<string, NodeEvent>();
  let after: { readonly at: number; readonly seq: number } | undefined;
  for (let read = 0; read < lookedAtMax; read += pageSize) {
    signal?.throwIfAborted();
    let query = db
      .selectFrom("node_events")
      .selectAll()
      .where("cluster", "=", cluster)
      .where("kind", "in", [...kinds])
      .where("at", "<", beforeMs);
    if (after !== undefined) {
      const { at, seq } = after;
      query = query.where("at", "<=", at);
      query = query.where((of) => of.or([of("at", "<", at), of("seq", "<", seq)]));
    }
    const rows = await query.orderBy("at", "desc").orderBy("seq", "desc").limit(pageSize).execute();
    for (const row of rows) if (!newest.has(row.node)) newest.set(row.node, toEvent(row));
    after = rows.at(-1);
    if (rows.length < pageSize) break;
  }
  return newest;
}
