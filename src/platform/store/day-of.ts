import { type RawBuilder, sql } from "kysely";

const dayMs = 86_400_000;

/** Whole days since the Unix epoch of a column with milliseconds. */
export function dayOf(column: string): RawBuilder<number> {
  return sql<number>`${sql.ref(column)} / ${sql.lit(dayMs)}`;
}
