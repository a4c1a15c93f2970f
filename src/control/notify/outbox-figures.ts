import type { Store } from "../../platform/store/index.ts";

/** How the messages of one target stand. */
export interface OutboxFigures {
  /** News that has not been delivered. */
  readonly waiting: number;
  /** When the oldest of it happened to be written down; undefined when none waits. */
  readonly oldestMadeAtMs: number | undefined;
  readonly delivered: number;
  readonly failed: number;
  /** Of the message that was tried last; undefined when that went well. */
  readonly lastError: string | undefined;
  readonly lastDeliveredAtMs: number | undefined;
}

/** Counts what the store has of a target: all that waits, and what ended in the last 30 days. */
export async function outboxFigures(store: Store, target: string): Promise<OutboxFigures> {
  const states = await store.db
    .selectFrom("notification_deliveries")
    .select((of) => [
      "state",
      of.fn.countAll<number | bigint | string>().as("count"),
      of.fn.max("ended_at").as("ended"),
      of.fn.min("made_at").as("made"),
    ])
    .where("target", "=", target)
    .groupBy("state")
    .execute();
  const waiting = await store.db
    .selectFrom("notification_news as news")
    .leftJoin("notification_deliveries as delivery", "delivery.id", "news.delivery")
    .select((of) => of.fn.countAll<number | bigint | string>().as("count"))
    .where("news.target", "=", target)
    .where((of) => of.or([of("news.delivery", "is", null), of("delivery.state", "=", "waiting")]))
    .executeTakeFirst();
  const newest = await store.db
    .selectFrom("notification_deliveries")
    .select(["last_error"])
    .where("target", "=", target)
    .where("attempts", ">", 0)
    .orderBy("made_at", "desc")
    .limit(1)
    .executeTakeFirst();
  const of = (state: string) => states.find((row) => row.state === state);
  return {
    waiting: Number(waiting?.count ?? 0),
    oldestMadeAtMs: of("waiting")?.made ?? undefined,
    delivered: Number(of("delivered")?.count ?? 0),
    failed: Number(of("failed")?.count ?? 0),
    lastError: newest?.last_error ?? undefined,
    lastDeliveredAtMs: of("delivered")?.ended ?? undefined,
  };
}
