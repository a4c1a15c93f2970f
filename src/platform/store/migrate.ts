import assert from "node:assert/strict";
import { sql } from "kysely";
import { isTesseraError, TesseraError } from "../errors/index.ts";
import type { Clock } from "../time/clock.ts";
import type { Engine } from "./engine.ts";
import { type AppliedMigration, pendingMigrations } from "./history.ts";
import { checksumOf, type Migration, statementsOf } from "./migration.ts";
import type { Queryable } from "./schema.ts";

export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
}

/**
 * Says what is still to do, without changing anything.
 *
 * @throws E_STORE_NEWER, E_STORE_HISTORY when this code must not touch the store.
 */
export async function inspectSchema(
  engine: Engine,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  assert(
    migrations.every(({ number }, index) => number === index + 1),
    "migrations are numbered 1, 2, 3 ... in order",
  );
  return judge(engine, migrations, await engine.readHistory());
}

/**
 * Brings the schema up to date, one transaction a migration. Of several processes that start at
 * once one does each step and the others find it done.
 *
 * @throws E_STORE_UNUSABLE when a migration fails; the schema is then as it was before it.
 */
export async function migrate(engine: Engine, options: MigrateOptions): Promise<void> {
  const { migrations } = options;
  let pending = await inspectSchema(engine, migrations);
  while (pending.length > 0) {
    const left = await engine.exclusively((trx) => applyNext(engine, trx, options));
    assert(left.length < pending.length, "each step brings the schema forward");
    pending = left;
  }
}

async function applyNext(
  engine: Engine,
  trx: Queryable,
  { migrations, clock }: MigrateOptions,
): Promise<readonly Migration[]> {
  await createHistory(trx);
  const [next, ...rest] = judge(engine, migrations, await readApplied(trx));
  if (next === undefined) return [];
  const { number, name } = next;
  try {
    for (const statement of statementsOf(next, engine.dialect)) {
      await sql.raw(statement).execute(trx);
    }
  } catch (cause) {
    if (isTesseraError(cause)) throw cause;
    const problem = `migration ${number} (${name}) failed, the schema is still at ${number - 1}`;
    throw new TesseraError("E_STORE_UNUSABLE", { store: engine.shown, problem }, { cause });
  }
  const checksum = checksumOf(next, engine.dialect);
  const row = { number, name, checksum, applied_at: clock.nowMs() };
  await trx.insertInto("tessera_migrations").values(row).execute();
  return rest;
}

async function createHistory(trx: Queryable): Promise<void> {
  await trx.schema
    .createTable("tessera_migrations")
    .ifNotExists()
    .addColumn("number", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("checksum", "text", (column) => column.notNull())
    .addColumn("applied_at", "bigint", (column) => column.notNull())
    .execute();
}

function readApplied(db: Queryable): Promise<AppliedMigration[]> {
  return db
    .selectFrom("tessera_migrations")
    .select(["number", "name", "checksum"])
    .orderBy("number")
    .execute();
}

function judge(
  engine: Engine,
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  return pendingMigrations({ known, applied, dialect: engine.dialect, store: engine.shown });
}
