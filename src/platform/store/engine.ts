import type { Kysely, Transaction } from "kysely";
import type { AppliedMigration } from "./history.ts";
import type { Schema } from "./schema.ts";
import type { StoreDialect, StoreFacts } from "./store.ts";

/** What SQLite and PostgreSQL each bring; everything above is the same for both. */
export interface Engine {
  readonly dialect: StoreDialect;
  readonly shown: string;
  readonly db: Kysely<Schema>;
  /** As `db`, but content with the connection that is open already: for use while opening. */
  readonly openingDb: Kysely<Schema>;
  /** The migrations the store went through, in order. Changes nothing. */
  readHistory(): Promise<readonly AppliedMigration[]>;
  /** What the store stands on at this moment. Changes nothing. */
  describe(): Promise<StoreFacts>;
  /**
   * Settles how data is kept, which may change the file. Called once, after the schema was found
   * to be one that this code may touch.
   */
  start(): Promise<void>;
  /** Looks for damage, which takes time in proportion to the data. Gives one line for each. */
  findDamage(): Promise<readonly string[]>;
  transaction<T>(fn: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  /** A transaction that no other process's `exclusively` can overlap; sees all they committed. */
  exclusively<T>(fn: (trx: Transaction<Schema>) => Promise<T>): Promise<T>;
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}
