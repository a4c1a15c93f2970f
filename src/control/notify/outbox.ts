import type { NotificationTarget } from "../../platform/config/sections/notifications.ts";
import type { Queryable, Store } from "../../platform/store/index.ts";
import { groupNews, groupWindowMs, newsPerMessageMax } from "./group-news.ts";
import { itemOf, type MessageItem } from "./message.ts";
import { isWanted, type News, newsId } from "./news.ts";
import type { ToldSince } from "./told-since.ts";

/** A message that this process may send until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly target: string;
  readonly madeAtMs: number;
  /** How often it was tried before. */
  readonly attempts: number;
  readonly items: readonly MessageItem[];
}

export interface OutboxOptions {
  readonly targets: readonly NotificationTarget[];
  readonly linkBase: string | undefined;
  readonly simulated: boolean;
  /** What happened before is no news to a target. @default all is */
  readonly since?: ToldSince;
}

const keptMs = 30 * 86_400_000;
/** A target that nobody has reached for long must not fill the disk. */
const waitingMax = 10_000;

/**
 * Writes news down for every target that wants it; the same news again changes nothing. Part of the
 * transaction that notes what it follows from, so that neither is kept without the other.
 */
export async function addNews(
  db: Queryable,
  news: readonly News[],
  { targets, linkBase, simulated, since }: OutboxOptions,
): Promise<void> {
  const rows = news.flatMap((one) => {
    const id = newsId(one);
    const document = JSON.stringify(itemOf(one, id, linkBase));
    return targets
      .filter((target) => isWanted(one, target, { simulated }))
      .filter(({ name }) => one.atMs >= (since?.get(name) ?? 0))
      .map(({ name }) => ({ target: name, id, event: one.event, at: one.atMs, document }));
  });
  for (let from = 0; from < rows.length; from += 500) {
    await db
      .insertInto("notification_news")
      .values(rows.slice(from, from + 500))
      .onConflict((conflict) => conflict.columns(["target", "id"]).doNothing())
      .execute();
  }
}

/** Makes messages of the news that waits; how many were made. */
export async function makeDeliveries(
  store: Store,
  target: string,
  options: { readonly groupOver: number; readonly nowMs: number },
): Promise<number> {
  const { nowMs } = options;
  return await store.transaction(async (trx) => {
    const waiting = await trx
      .selectFrom("notification_news")
      .select(["seq", "id"])
      .where("target", "=", target)
      .where("delivery", "is", null)
      .orderBy("seq")
      .limit(newsPerMessageMax)
      .execute();
    if (waiting.length === 0) return 0;
    const recent = await trx
      .selectFrom("notification_deliveries")
      .select("made_at")
      .where("target", "=", target)
      .where("made_at", ">", nowMs - groupWindowMs)
      .execute();
    const recentMs = recent.map(({ made_at }) => made_at);
    const groups = groupNews(waiting, { ...options, recentMs });
    for (const group of groups) {
      // Named after its first news: a message that is made twice is one message.
      const id = `${target}-${group[0]?.id ?? ""}`;
      const row = { id, target, made_at: nowMs, due_at: nowMs };
      await trx.insertInto("notification_deliveries").values(row).execute();
      const seqs = group.map(({ seq }) => seq);
      await trx
        .updateTable("notification_news")
        .set({ delivery: id })
        .where("seq", "in", seqs)
        .execute();
    }
    return groups.length;
  });
}

/** Takes messages that are due, so that no other process sends them meanwhile; oldest first. */
export async function claimDeliveries(
  store: Store,
  target: string,
  options: { readonly nowMs: number; readonly leaseMs: number; readonly limit: number },
): Promise<readonly ClaimedDelivery[]> {
  const { nowMs, leaseMs, limit } = options;
  return await store.transaction(async (trx) => {
    const rows = await trx
      .updateTable("notification_deliveries")
      .set({ leased_until: nowMs + leaseMs })
      .where("id", "in", (of) =>
        of
          .selectFrom("notification_deliveries")
          .select("id")
          .where("target", "=", target)
          .where("state", "=", "waiting")
          .where("due_at", "<=", nowMs)
          .where("leased_until", "<=", nowMs)
          .orderBy("due_at")
          .limit(limit),
      )
      .where("leased_until", "<=", nowMs)
      .returning(["id", "target", "made_at", "attempts"])
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const news = await trx
      .selectFrom("notification_news")
      .select(["delivery", "document"])
      .where("delivery", "in", ids)
      .orderBy("seq")
      .execute();
    return rows
      .toSorted((one, other) => one.made_at - other.made_at)
      .map(({ made_at, ...row }) => ({
        ...row,
        madeAtMs: made_at,
        items: news
          .filter(({ delivery }) => delivery === row.id)
          .map(({ document }): MessageItem => JSON.parse(document)),
      }));
  });
}

/** Notes how an attempt ended. */
export async function endAttempt(
  store: Store,
  id: string,
  ended:
    | { readonly state: "delivered"; readonly atMs: number }
    | { readonly state: "failed"; readonly atMs: number; readonly problem: string }
    | { readonly state: "waiting"; readonly dueAtMs: number; readonly problem: string },
): Promise<void> {
  await store.db
    .updateTable("notification_deliveries")
    .set((of) => ({
      state: ended.state,
      attempts: of("attempts", "+", 1),
      leased_until: 0,
      last_error: "problem" in ended ? ended.problem : null,
      ...(ended.state === "waiting" ? { due_at: ended.dueAtMs } : { ended_at: ended.atMs }),
    }))
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .execute();
}

/** Forgets what ended long ago, and news beyond what anybody will ever read. */
export async function pruneOutbox(store: Store, target: string, nowMs: number): Promise<void> {
  await store.db
    .deleteFrom("notification_deliveries")
    .where("target", "=", target)
    .where("ended_at", "<", nowMs - keptMs)
    .execute();
  const oldest = await store.db
    .selectFrom("notification_news")
    .select("seq")
    .where("target", "=", target)
    .where("delivery", "is", null)
    .orderBy("seq", "desc")
    .offset(waitingMax)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await store.db
    .deleteFrom("notification_news")
    .where("target", "=", target)
    .where("delivery", "is", null)
    .where("seq", "<=", oldest.seq)
    .execute();
}
