import { dirname } from "node:path";
import { Kysely } from "kysely";
import { isTesseraError } from "../../errors/index.ts";
import type { Clock } from "../../time/clock.ts";
import type { Engine } from "../engine.ts";
import type { AppliedMigration } from "../history.ts";
import { asTransactionBody } from "../nesting.ts";
import type { Schema } from "../schema.ts";
import type { StoreFacts } from "../store.ts";
import { backupTo } from "./backup.ts";
import { SqliteConnection } from "./connection.ts";
import { libsqlDialect, type SqlitePaths } from "./dialect.ts";
import { findLibsql } from "./driver.ts";
import { type FileSystem, fileSystemOf } from "./file-system.ts";
import { GroupCommit, type GroupLimits } from "./group-commit.ts";
import { prepareFile } from "./prepare-file.ts";
import { ReaderPool } from "./reader-pool.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly shown: string;
  readonly clock: Clock;
  /** How long to wait for another process's lock. @default 5000 */
  readonly busyTimeoutMs?: number;
  /** @default groupLimits */
  readonly limits?: Partial<GroupLimits>;
  /** Says what kind of file system holds a path; tests pretend with it. @default statfs */
  readonly fileSystemOf?: (path: string) => Promise<FileSystem>;
}

// A WAL that grew past this is cut back after the next checkpoint.
const journalBytesMax = 64 * 1024 * 1024;
const journalAttemptsMax = 10;

/** @throws E_STORE_DRIVER, E_STORE_UNUSABLE, E_STORE_CORRUPT, E_STORE_BUSY. */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const { path, shown, clock, limits } = options;
  const driver = findLibsql(shown);
  await prepareFile(path, shown);
  const fileSystem = await (options.fileSystemOf ?? fileSystemOf)(dirname(path));
  const shared = [`busy_timeout = ${options.busyTimeoutMs ?? 5000}`, "trusted_schema = off"];
  const connect = (role: string, pragmas: readonly string[]) =>
    SqliteConnection.open({ driver, path, shown, role, pragmas: [...shared, ...pragmas] });

  const connection = await connect("writer", [
    "foreign_keys = on",
    `journal_size_limit = ${journalBytesMax}`,
  ]);
  const writer = new GroupCommit({ connection, clock, shown, ...(limits ? { limits } : {}) });
  const openReader = () => connect("reader", ["query_only = on"]);
  const readers = new ReaderPool({ open: openReader, shown });
  const kyselyOn = (reads: SqlitePaths["readers"]) =>
    new Kysely<Schema>({ dialect: libsqlDialect({ writer, readers: reads }) });
  const db = kyselyOn(readers);
  const transaction: Engine["transaction"] = (fn) =>
    db.transaction().execute((trx) => asTransactionBody(() => fn(trx)));
  return {
    dialect: "sqlite",
    shown,
    db,
    // A thread for reading is started by the first who reads; many open the store only to write.
    openingDb: kyselyOn({ read: (statement) => connection.run(statement) }),
    readHistory: () => readHistory(connection),
    describe: () => describe(connection, fileSystem),
    start: () => start(connection, fileSystem),
    findDamage: () => findDamage(connection),
    transaction,
    // The writer's transactions start with `begin immediate`, which no other process can overlap.
    exclusively: transaction,
    backup: (target) => backupTo(target, { shown, open: () => connect("backup", []) }),
    close: async () => {
      await writer.close();
      await readers.close();
      await connection.close();
    },
  };
}

// On the writer's connection: another one could keep the journal mode from being changed.
async function readHistory(connection: SqliteConnection): Promise<readonly AppliedMigration[]> {
  const table = "select 1 from sqlite_schema where name = 'tessera_migrations'";
  if ((await connection.run({ sql: table })).rows.length === 0) return [];
  const sql = "select number, name, checksum from tessera_migrations order by number";
  return (await connection.run({ sql })).rows.map((row) => ({
    number: Number(row["number"]),
    name: String(row["name"]),
    checksum: String(row["checksum"]),
  }));
}

/**
 * Chooses the journal. WAL needs memory shared by all who open the file, which a network file
 * system does not give; there the old journal is slower and safe.
 */
async function start(connection: SqliteConnection, fileSystem: FileSystem): Promise<void> {
  await changeJournal(connection, fileSystem.network ? "delete" : "wal");
  const { rows } = await connection.run({ sql: "pragma journal_mode" });
  // Without WAL a commit is the removal of a file, and only `extra` puts that on the disk.
  const level = rows[0]?.["journal_mode"] === "wal" ? "full" : "extra";
  await connection.run({ sql: `pragma synchronous = ${level}` });
}

/**
 * Of two who open a new file at once both want to change its journal, and SQLite tells one of them
 * at once that the file is locked, however long it may wait. To begin a write does wait for the other.
 */
async function changeJournal(connection: SqliteConnection, mode: string): Promise<void> {
  for (let left = journalAttemptsMax - 1; ; left -= 1) {
    // Not prepared: one that failed would stay in progress, and in the way of the other.
    const { error } = await connection.ask({ sql: `pragma journal_mode = ${mode}`, control: true });
    if (error === undefined) return;
    if (left === 0 || !isTesseraError(error) || error.code !== "E_STORE_BUSY") throw error;
    await connection.run({ sql: "begin immediate", control: true });
    await connection.run({ sql: "commit", control: true });
  }
}

async function describe(connection: SqliteConnection, fileSystem: FileSystem): Promise<StoreFacts> {
  const [version] = (await connection.run({ sql: "select sqlite_version() as v" })).rows;
  const [mode] = (await connection.run({ sql: "pragma journal_mode" })).rows;
  const journalMode = String(mode?.["journal_mode"]);
  return {
    engine: `SQLite ${String(version?.["v"])}`,
    journalMode,
    fileSystem: fileSystem.name,
    limits: limitsOf(fileSystem, journalMode),
  };
}

function limitsOf(fileSystem: FileSystem, journalMode: string): readonly string[] {
  const mode = `journal mode is ${journalMode}, and reads may wait for writes`;
  if (fileSystem.network) {
    return [
      `The file is on a network file system (${fileSystem.name}), where SQLite cannot use WAL: ${mode}. Only one machine may use the file.`,
    ];
  }
  return journalMode === "wal" ? [] : [`The disk does not support WAL: ${mode}.`];
}

async function findDamage(connection: SqliteConnection): Promise<readonly string[]> {
  const { rows } = await connection.run({ sql: "pragma integrity_check(10)" });
  return rows.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok");
}
