import type { Clock } from "../time/clock.ts";
import { Door } from "./door.ts";
import type { Engine } from "./engine.ts";
import { ensureInstance } from "./meta.ts";
import { inspectSchema, migrate } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { migrations as embedded } from "./migrations/index.ts";
import type { Store, StoreLog } from "./store.ts";
import { parseStoreUrl } from "./url.ts";

export interface StoreOptions {
  /** `sqlite:PATH`, `postgres://...` or `postgresql://...`. */
  readonly url: string;
  readonly clock: Clock;
  /** Hears what weakens the store on this machine, and of migrations. @default no one */
  readonly log?: StoreLog;
  /** The schema's history; only tests have another. @default the embedded migrations */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens a store, creating it or bringing its schema up to date when needed. Several processes may
 * open the same one. Close it when done.
 *
 * @throws E_STORE_URL, E_STORE_DRIVER, E_STORE_UNUSABLE, E_STORE_CORRUPT, E_STORE_BUSY,
 *   E_STORE_NEWER, E_STORE_HISTORY. The last two leave the store untouched.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const engine = await openEngine(options);
  try {
    return await startStore(engine, options);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Connects to the engine a URL names, without touching the schema. */
export async function openEngine(
  options: Pick<StoreOptions, "url" | "clock" | "log">,
): Promise<Engine> {
  const location = parseStoreUrl(options.url);
  const { clock, log } = options;
  // Each engine is loaded only by those who use it.
  if (location.dialect === "sqlite") {
    const { openSqlite } = await import("./sqlite/open-sqlite.ts");
    return await openSqlite({ path: location.path, shown: location.shown, clock });
  }
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  const { url, shown } = location;
  return await openPostgres({ url, shown, ...(log === undefined ? {} : { log }) });
}

async function startStore(engine: Engine, options: StoreOptions): Promise<Store> {
  const { clock, log, migrations = embedded } = options;
  const pending = await inspectSchema(engine, migrations);
  await engine.start();
  const facts = await engine.describe();
  for (const limit of facts.limits) log?.warn({ store: engine.shown }, limit);
  await migrate(engine, { migrations, clock });
  if (pending.length > 0) {
    const numbers = pending.map((migration) => migration.number);
    log?.info(
      { store: engine.shown, migrations: numbers },
      "the store's schema was brought up to date",
    );
  }
  const instance = await ensureInstance(engine.openingDb, clock.nowMs());
  const door = new Door(engine.shown);
  const close = async () => {
    await door.close();
    await engine.close();
  };
  let closing: Promise<void> | undefined;
  return {
    dialect: engine.dialect,
    shown: engine.shown,
    facts,
    schemaVersion: migrations.length,
    instance,
    db: engine.db,
    transaction: (fn) => door.enter(() => engine.transaction(fn)),
    backup: (path) => door.enter(() => engine.backup(path)),
    close: () => (closing ??= close()),
  };
}
