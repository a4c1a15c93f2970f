import { sql } from "kysely";
import type { Queryable } from "../../../../src/platform/store/index.ts";

/** Writes one half of a pair. */
export async function writeHalf(db: Queryable, pair: number, half: "a" | "b"): Promise<void> {
  await sql`insert into pairs (pair, half) values (${pair}, ${half})`.execute(db);
}

/** Writes both halves. */
export async function writePair(db: Queryable, pair: number): Promise<void> {
  await writeHalf(db, pair, "a");
  await writeHalf(db, pair, "b");
}

/** The pairs that are there, in order; each half counts. */
export async function readHalves(db: Queryable): Promise<number[]> {
  const rows = await sql<{ pair: number }>`select pair from pairs order by pair, half`.execute(db);
  return rows.rows.map(({ pair }) => pair);
}
