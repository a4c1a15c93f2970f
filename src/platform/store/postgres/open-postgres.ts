import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import { TesseraError } from "../../errors/index.ts";
import type { Engine } from "../engine.ts";
import type { AppliedMigration } from "../history.ts";
import { asTransactionBody, refuseNested } from "../nesting.ts";
import type { Schema } from "../schema.ts";
import type { StoreFacts, StoreLog } from "../store.ts";
import { isConflict } from "./errors.ts";
import { safePool } from "./pool.ts";

export interface PostgresOptions {
  readonly url: string;
  readonly shown: string;
  readonly log?: StoreLog;
  /** How long a transaction may do nothing before the server undoes it. @default 30000 */
  readonly idleMsMax?: number;
}

const waitingMax = 10_000;
// How long to wait for a free connection, and for a new one.
const connectTimeoutMs = 5_000;
const lockTimeoutMs = 10_000;
const statementTimeoutMs = 60_000;
const attemptsMax = 20;
// Any number will do that other programs on the same server do not use: "tess" in ASCII.
const migrationLock = 0x74657373;
const int8 = 20;

/** @throws E_STORE_DRIVER, E_STORE_UNUSABLE, E_STORE_BUSY. */
export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const { shown } = options;
  const db = await connect(options, { connectionsMax: 4 });
  // Apart from the others, so that a queue of transactions does not keep reads waiting.
  const writing = await connect(options, { connectionsMax: 8 });
  const close = async () => {
    await writing.destroy();
    await db.destroy();
  };
  // Connections are made when they are needed; a server out of reach is reported here, not later.
  await sql`select 1`.execute(db).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    dialect: "postgres",
    shown,
    db,
    openingDb: db,
    readHistory: () => readHistory(db),
    describe: () => describe(db),
    start: () => Promise.resolve(),
    // The server looks after its own files (data checksums, pg_amcheck).
    findDamage: () => Promise.resolve([]),
    transaction: async (fn) => {
      refuseNested();
      const transaction = writing.transaction().setIsolationLevel("serializable");
      return await retryConflicts(() =>
        transaction.execute((trx) => asTransactionBody(() => fn(trx))),
      );
    },
    exclusively: (fn) => exclusively(writing, fn),
    backup: () => Promise.reject(noBackup(shown)),
    close,
  };
}

async function connect(
  options: PostgresOptions,
  { connectionsMax }: { readonly connectionsMax: number },
): Promise<Kysely<Schema>> {
  const { shown, log } = options;
  const { default: pg } = await import("pg").catch((cause: unknown) => {
    throw new TesseraError("E_STORE_DRIVER", { store: shown, package: "pg" }, { cause });
  });
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: "tessera",
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: options.idleMsMax ?? 30_000,
    types: {
      // pg gives 64-bit numbers as text; ours are counts and milliseconds, which a number holds.
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === int8 ? Number : pg.types.getTypeParser(type, format),
    },
  });
  const safe = safePool(pool, { shown, waitingMax, ...(log === undefined ? {} : { log }) });
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: safe }) });
}

// Read committed: each statement must see what others committed while this one waited for the lock.
function exclusively<T>(
  db: Kysely<Schema>,
  fn: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  const transaction = db.transaction().setIsolationLevel("read committed");
  return transaction.execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
    return await fn(trx);
  });
}

/** Runs it again when it lost against another transaction, which then has gone ahead. */
async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = attemptsMax - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !isConflict(error)) throw error;
    }
  }
}

async function readHistory(db: Kysely<Schema>): Promise<readonly AppliedMigration[]> {
  const table = sql<{
    found: boolean;
  }>`select to_regclass('tessera_migrations') is not null as found`;
  if ((await table.execute(db)).rows[0]?.found !== true) return [];
  const query = db.selectFrom("tessera_migrations").select(["number", "name", "checksum"]);
  return await query.orderBy("number").execute();
}

async function describe(db: Kysely<Schema>): Promise<StoreFacts> {
  const query = sql<{ version: string; fsync: string; commit: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`;
  const { version, fsync, commit } = (await query.execute(db)).rows[0] ?? {};
  const off = [
    ...(fsync === "off" ? ["fsync"] : []),
    ...(commit === "off" ? ["synchronous_commit"] : []),
  ];
  const limits = off.map(
    (setting) =>
      `The server runs with ${setting} = off: writes it confirmed may be lost when it stops.`,
  );
  return { engine: `PostgreSQL ${version}`, limits };
}

function noBackup(store: string): TesseraError {
  return new TesseraError(
    "E_STORE_UNUSABLE",
    { store, problem: "Tessera does not back up PostgreSQL" },
    { hint: "Use pg_dump, or the continuous archiving of the server." },
  );
}
