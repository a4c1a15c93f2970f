import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

export type StoreDialect = "sqlite" | "postgres";

/** The part of a logger the store uses; a pino logger fits. */
export interface StoreLog {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** What an open store stands on, for status pages and the doctor. */
export interface StoreFacts {
  /** `SQLite 3.45.1`, `PostgreSQL 15.8`. */
  readonly engine: string;
  /** SQLite: `wal` on a local disk, `delete` on a network file system. */
  readonly journalMode?: string;
  /** The file system under a SQLite file. */
  readonly fileSystem?: string;
  /** What weakens the store here, one sentence each; empty when nothing does. */
  readonly limits: readonly string[];
}

/** The history of this installation. Open it with `openStore`. */
export interface Store {
  readonly dialect: StoreDialect;
  /** The URL it was opened with, without passwords. */
  readonly shown: string;
  readonly facts: StoreFacts;
  /** The number of the newest migration applied. */
  readonly schemaVersion: number;
  /** Who this installation is: made once, when the store is created. */
  readonly instance: { readonly id: string; readonly createdAtMs: number };
  /**
   * For reads and single statements. A statement that writes is a transaction of its own, and its
   * promise resolves when it is durable.
   */
  readonly db: Kysely<Schema>;
  /**
   * Runs `fn` as one transaction and resolves with its value once everything it wrote is durable.
   * When `fn` throws, or a statement in it failed, nothing of it is kept and the promise rejects.
   * Transactions behave as if they ran one after the other.
   *
   * Inside `fn` use only `trx`, and wait for nothing but the store: other writers queue behind it.
   * On PostgreSQL `fn` may run again after a conflict, so it must have no effect outside the store.
   *
   * @throws E_STORE_BUSY when its turn did not come in time, or when `fn` left its turn unused for 30 s.
   */
  transaction<T>(fn: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /**
   * Writes a consistent copy to a new file while the store stays in use.
   *
   * @throws E_STORE_UNUSABLE when the file exists or cannot be written, and on PostgreSQL, whose
   *   own pg_dump does this better.
   */
  backup(path: string): Promise<void>;
  /** Lets the transactions under way finish, then closes. Closing twice is closing once. */
  close(): Promise<void>;
}
