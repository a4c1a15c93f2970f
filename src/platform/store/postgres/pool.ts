import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { TesseraError } from "../../errors/index.ts";
import type { StoreLog } from "../store.ts";
import { toStoreError } from "./errors.ts";

export interface PoolOptions {
  readonly shown: string;
  readonly log?: StoreLog;
  /** Callers that may wait for a connection; more are refused with E_STORE_BUSY. */
  readonly waitingMax: number;
}

/** pg's pool as Kysely wants it, with our errors and without pg's traps. */
export function safePool(pool: Pool, options: PoolOptions): PostgresPool {
  const lost = new WeakMap<PoolClient, Error>();
  // A connection that breaks while no query runs reports it as an event; without a listener that
  // ends the process.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      // The first says why; "connection terminated" follows.
      if (!lost.has(client)) lost.set(client, error);
    });
  });
  pool.on("error", (error) => {
    options.log?.warn({ store: options.shown, err: error }, "lost an idle PostgreSQL connection");
  });
  return {
    connect: async () => {
      if (pool.waitingCount >= options.waitingMax) {
        const problem = `${pool.waitingCount} callers are waiting already`;
        throw new TesseraError("E_STORE_BUSY", { store: options.shown, problem });
      }
      const client = await pool.connect().catch((thrown: unknown) => {
        throw toStoreError(thrown, options.shown);
      });
      return safeClient(client, { shown: options.shown, lost });
    },
    end: () => pool.end(),
  };
}

function safeClient(
  client: PoolClient,
  options: { readonly shown: string; readonly lost: WeakMap<PoolClient, Error> },
): PostgresPoolClient {
  let failed: unknown;
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      const result = await client.query(sql, [...parameters]);
      // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
      if (sql === "commit" && result.command === "ROLLBACK") {
        throw failed ?? new Error("the transaction was rolled back");
      }
      return result;
    } catch (thrown) {
      // The server undoes what a broken connection leaves open.
      if (sql === "rollback") return { command: "ROLLBACK", rowCount: 0, rows: [] };
      failed ??= thrown;
      throw toStoreError(options.lost.get(client) ?? thrown, options.shown);
    }
  };
  // Kysely knows a second form of query, for cursors; we do not use it.
  return { query, release: () => client.release() } as unknown as PostgresPoolClient;
}
