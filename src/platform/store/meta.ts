import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Queryable } from "./schema.ts";

export interface Instance {
  readonly id: string;
  readonly createdAtMs: number;
}

const idKey = "instance_id";
const createdKey = "created_at";

/** Who this installation is. Whoever opens a new store first decides; the others read it. */
export async function ensureInstance(db: Queryable, nowMs: number): Promise<Instance> {
  const found = await readInstance(db);
  if (found !== undefined) return found;
  await db
    .insertInto("meta")
    .values([
      { key: idKey, value: randomUUID() },
      { key: createdKey, value: String(nowMs) },
    ])
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  const made = await readInstance(db);
  assert(made !== undefined, "the instance was just written");
  return made;
}

async function readInstance(db: Queryable): Promise<Instance | undefined> {
  const rows = await db.selectFrom("meta").selectAll().execute();
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  const id = values.get(idKey);
  const createdAt = values.get(createdKey);
  if (id === undefined || createdAt === undefined) return undefined;
  return { id, createdAtMs: Number(createdAt) };
}
