import type { Store } from "../../platform/store/index.ts";

/** How the messages of one target stand. */
export interface OutboxFigures {
  /** News that has not been delivered. */
  readonly waiting: number;
  /**
   * When a message was made of the oldest of it, or that happened of which none is made yet; undefined
   * when none waits.
   */
  readonly oldestSinceMs: number | undefined;
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
    ])
    .where("target", "=", target)
    .groupBy("state")
    .execute();
  const waiting = await store.db
    .selectFrom("notification_news as news")
    .leftJoin("notification_deliveries as delivery", "delivery.id", "news.delivery")
    .select((of) => [
      of.fn.countAll<number | bigint | string>().as("count"),
      of.fn.min(of.fn.coalesce("delivery.made_at", "news.at")).as("oldest"),
    ])
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
    oldestSinceMs: waiting?.oldest ?? undefined,
    delivered: Number(of("delivered")?.count ?? 0),
    failed: Number(of("failed")?.count ?? 0),
    lastError: newest?.last_error ?? undefined,
    lastDeliveredAtMs: of("delivered")?.ended ?? undefined,
  };
}
