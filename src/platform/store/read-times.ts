import assert from "node:assert/strict";
import { type Compilable, sql } from "kysely";
import type { Store } from "./store.ts";

/**
 * Reads a time for each of many names; `at` must not be null. They come as two JSON documents: an
 * object for each of ten thousand rows would take several times as long, most of it between threads.
 */
export async function readTimes(
  store: Pick<Store, "db" | "dialect">,
  query: Compilable<{ readonly name: string; readonly at: number | null }>,
): Promise<ReadonlyMap<string, number>> {
  const all = (column: string) =>
    store.dialect === "sqlite"
      ? sql<string | null>`json_group_array(${sql.ref(column)})`
      : sql<string | null>`json_agg(${sql.ref(column)})::text`;
  const whole = sql<{ names: string | null; times: string | null }>`
    select ${all("name")} as names, ${all("at")} as times from (${query}) as every`;
  const [row] = (await whole.execute(store.db)).rows;
  const names: readonly string[] = JSON.parse(row?.names ?? "[]");
  const times: readonly number[] = JSON.parse(row?.times ?? "[]");
  assert.equal(names.length, times.length, "each name has a time");
  return new Map(names.map((name, index) => [name, times[index] ?? Number.NaN]));
}
