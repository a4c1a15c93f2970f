import type { Queryable } from "../../platform/store/index.ts";

/** What was last told of something: of a node, of its closing, of a cluster's breaker. */
export const subjects = {
  /** States by key; a key that was never told of has none. */
  async read(db: Queryable, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let from = 0; from < keys.length; from += 500) {
      const rows = await db
        .selectFrom("notification_subjects")
        .select(["key", "state"])
        .where("key", "in", keys.slice(from, from + 500))
        .execute();
      for (const { key, state } of rows) found.set(key, state);
    }
    return found;
  },

  async write(
    db: Queryable,
    entries: ReadonlyMap<string, string>,
    changedAtMs: number,
  ): Promise<void> {
    for (const [key, state] of entries) {
      await db
        .insertInto("notification_subjects")
        .values({ key, state, changed_at: changedAtMs })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({ state, changed_at: changedAtMs }),
        )
        .execute();
    }
  },
};

/** How far the records of a kind have been read, and since when a target is told. */
export const cursors = {
  async read(db: Queryable, name: string): Promise<number | undefined> {
    const row = await db
      .selectFrom("notification_cursors")
      .select("seq")
      .where("name", "=", name)
      .executeTakeFirst();
    return row?.seq;
  },

  async write(db: Queryable, name: string, seq: number): Promise<void> {
    await db
      .insertInto("notification_cursors")
      .values({ name, seq })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ seq }))
      .execute();
  },
};
