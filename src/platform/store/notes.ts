import type { Queryable } from "./schema.ts";

/**
 * Small things that one process wants the others, or its own next life, to know: one value a key, in place
 * of the one before.
 */
export const notes = {
  /** What was written last; undefined when nothing was. Whoever reads it says what it should look like. */
  async read(db: Queryable, key: string): Promise<unknown> {
    const row = await db
      .selectFrom("meta")
      .select("value")
      .where("key", "=", key)
      .executeTakeFirst();
    return row === undefined ? undefined : JSON.parse(row.value);
  },

  /** @param note what JSON can carry. */
  async write(db: Queryable, key: string, note: object): Promise<void> {
    const value = JSON.stringify(note);
    await db
      .insertInto("meta")
      .values({ key, value })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
      .execute();
  },
};
