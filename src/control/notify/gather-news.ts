import {
  holdsStoreLock,
  type Queryable,
  type Store,
  type StoreLock,
} from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { closedKey, closedNews, nodeKey, nodeNews } from "./node-news.ts";
import { addNews, type OutboxOptions } from "./outbox.ts";
import { readClosedNodes, readJudgedNodes } from "./read-nodes.ts";
import {
  breakerKey,
  breakerNews,
  experimentNews,
  leftFaultNews,
  type NewsSources,
} from "./sources.ts";
import { cursors, subjects } from "./subjects.ts";
import { noteTargets, type ToldSince } from "./told-since.ts";

// Records of two writers may become visible out of order, so a little is read again each time.
const overlapSeqs = 200;
const overlapMs = 60_000;
const seqsMax = 2_000;

/**
 * Reads what the store has got since the last time and writes down what is new in it, in one
 * transaction: after a crash nothing is told twice, and nothing is left out. What was there before
 * notifications were switched on is no news, and to a target what was before it was named is none.
 */
export async function gatherStoredNews(
  store: Store,
  options: { readonly lock: StoreLock; readonly clock: Clock; readonly outbox: OutboxOptions },
): Promise<void> {
  const { lock, clock, outbox } = options;
  await store.transaction(async (trx) => {
    if (!(await holdsStoreLock(trx, lock, clock))) return;
    const nowMs = clock.nowMs();
    const targets = outbox.targets.map(({ name }) => name);
    const since = await noteTargets(trx, { targets, nowMs });
    const given = { nowMs, since, outbox: { ...outbox, since } };
    await gatherVerdicts(trx, given);
    await gatherClosed(trx, given);
    await gatherExperiments(trx, given);
  });
}

interface Given {
  readonly nowMs: number;
  readonly since: ToldSince;
  readonly outbox: OutboxOptions;
}

/** Writes down what only this process can tell. */
export async function gatherOwnNews(
  store: Store,
  options: {
    readonly sources: NewsSources;
    readonly clock: Clock;
    readonly outbox: OutboxOptions;
  },
): Promise<void> {
  const { sources, clock, outbox } = options;
  const breakers = (await sources.breakers?.()) ?? [];
  const left = (await sources.faultsLeft?.()) ?? [];
  if (breakers.length === 0 && left.length === 0) return;
  await store.transaction(async (trx) => {
    const nowMs = clock.nowMs();
    const keys = breakers.map(({ cluster }) => breakerKey(cluster));
    const { news, told } = breakerNews(breakers, { before: await subjects.read(trx, keys), nowMs });
    await subjects.write(trx, told, nowMs);
    await addNews(trx, [...news, ...left.map((fault) => leftFaultNews(fault, nowMs))], outbox);
  });
}

async function gatherVerdicts(db: Queryable, { nowMs, outbox }: Given): Promise<void> {
  const range = await nextRange(db, "run_verdicts");
  if (range === undefined) return;
  const nodes = await readJudgedNodes(db, range);
  const keys = nodes.map(({ cluster, node }) => nodeKey(cluster, node));
  const { news, told } = nodeNews(nodes, await subjects.read(db, keys));
  await subjects.write(db, told, nowMs);
  await addNews(db, news, outbox);
}

async function gatherClosed(db: Queryable, { nowMs, outbox }: Given): Promise<void> {
  const range = await nextRange(db, "node_events");
  if (range === undefined) return;
  const closed = await readClosedNodes(db, range);
  const keys = closed.map(({ cluster, node }) => closedKey(cluster, node));
  const { news, told } = closedNews(closed, await subjects.read(db, keys));
  await subjects.write(db, told, nowMs);
  await addNews(db, news, outbox);
}

/** What to read of a table now, and notes that it was; undefined when there is nothing. */
async function nextRange(
  db: Queryable,
  table: "run_verdicts" | "node_events",
): Promise<{ readonly afterSeq: number; readonly untilSeq: number } | undefined> {
  const newest = await db
    .selectFrom(table)
    .select("seq")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const newestSeq = newest?.seq ?? 0;
  const read = await cursors.read(db, table);
  if (read === undefined) {
    await cursors.write(db, `${table}/begun`, newestSeq);
    await cursors.write(db, table, newestSeq);
    return undefined;
  }
  if (newestSeq <= read) return undefined;
  const untilSeq = Math.min(newestSeq, read + seqsMax);
  await cursors.write(db, table, untilSeq);
  const begun = (await cursors.read(db, `${table}/begun`)) ?? 0;
  return { afterSeq: Math.max(begun, read - overlapSeqs), untilSeq };
}

async function gatherExperiments(db: Queryable, { nowMs, since, outbox }: Given): Promise<void> {
  const readMs = await cursors.read(db, "experiments");
  await cursors.write(db, "experiments", nowMs);
  if (readMs === undefined) return;
  // What no target wants must not take the places of what one does.
  const firstMs = Math.min(nowMs, ...since.values());
  const rows = await db
    .selectFrom("experiments")
    .select(["id", "title", "world", "reason", "ended_at"])
    .where("outcome", "=", "fail")
    .where("ended_at", ">=", Math.max(firstMs, readMs - overlapMs))
    .orderBy("seq")
    .limit(1_000)
    .execute();
  const failed = rows.map(({ ended_at, ...row }) => ({ ...row, endedAtMs: ended_at ?? nowMs }));
  await addNews(db, failed.map(experimentNews), outbox);
}
