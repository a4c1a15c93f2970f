import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Engine } from "../../../../src/platform/store/engine.ts";
import { migrate } from "../../../../src/platform/store/migrate.ts";
import { SqliteConnection } from "../../../../src/platform/store/sqlite/connection.ts";
import { findLibsql } from "../../../../src/platform/store/sqlite/driver.ts";
import {
  openSqlite,
  type SqliteOptions,
} from "../../../../src/platform/store/sqlite/open-sqlite.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { readHalves, writePair } from "../support/pairs.ts";
import { withPairs } from "../support/pairs-migration.ts";

const clock = createRealClock();
const nfs = async () => ({ name: "NFS", network: true });

async function start(path: string, options: Partial<SqliteOptions> = {}): Promise<Engine> {
  const engine = await openSqlite({ path, shown: `sqlite:${path}`, clock, ...options });
  onTestFinished(() => engine.close());
  await engine.start();
  await migrate(engine, { migrations: withPairs, clock });
  return engine;
}

// Inside a transaction the writer's own connection answers.
const pragma = (engine: Engine, name: string) =>
  engine.transaction(async (trx) => {
    const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(trx);
    return Object.values(rows[0] ?? {})[0];
  });

describe("the journal", () => {
  test("is a WAL on a local disk, synced at every commit", async () => {
    const engine = await start(join(await tempDir(), "t.db"));
    expect(await engine.describe()).toMatchObject({ journalMode: "wal", limits: [] });
    expect(await pragma(engine, "synchronous")).toBe(2);
    expect(await pragma(engine, "foreign_keys")).toBe(1);
  });

  test("is the old one on a network file system, synced with its folder, and says so", async () => {
    const path = join(await tempDir(), "t.db");
    const engine = await start(path, { fileSystemOf: nfs });
    const facts = await engine.describe();
    expect(facts.journalMode).toBe("delete");
    expect(facts.limits).toEqual([expect.stringContaining("network file system (NFS)")]);
    expect(await pragma(engine, "synchronous")).toBe(3);
    await engine.transaction((trx) => writePair(trx, 1));
    expect(await readHalves(engine.db)).toEqual([1, 1]);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test("changes when the file moves between a local and a network file system", async () => {
    const path = join(await tempDir(), "t.db");
    for (const [pair, options] of [{}, { fileSystemOf: nfs }, {}].entries()) {
      const engine = await start(path, options);
      await engine.transaction((trx) => writePair(trx, pair));
      await engine.close();
    }
    const engine = await start(path);
    expect(await readHalves(engine.db)).toEqual([0, 0, 1, 1, 2, 2]);
    expect((await engine.describe()).journalMode).toBe("wal");
  });
});

describe("two who write to one file", () => {
  test.each([
    ["a local disk", {}],
    ["a network file system", { fileSystemOf: nfs }],
  ])("wait for each other and lose nothing, on %s", async (_, options) => {
    const path = join(await tempDir(), "t.db");
    const first = await start(path, options);
    const second = await start(path, options);
    await Promise.all(
      Array.from({ length: 60 }, (_, pair) =>
        (pair % 2 === 0 ? first : second).transaction((trx) => writePair(trx, pair)),
      ),
    );
    expect(await readHalves(first.db)).toHaveLength(120);
    expect(await first.findDamage()).toEqual([]);
  });

  test("wait for each other also when the file is new and its journal is still to be chosen", async () => {
    const path = join(await tempDir(), "t.db");
    const engine = await openSqlite({ path, shown: `sqlite:${path}`, clock });
    onTestFinished(() => engine.close());
    const driver = findLibsql("t");
    const options = { driver, path, shown: "sqlite:t", role: "test", pragmas: [] };
    const other = await SqliteConnection.open(options);
    onTestFinished(() => other.close());
    await other.run({ sql: "begin immediate", control: true });
    const starting = engine.start();
    // Answered by another thread while the first one tries.
    for (let turn = 0; turn < 20; turn += 1) await other.run({ sql: "select 1" });
    await other.run({ sql: "commit", control: true });
    await starting;
    expect(await engine.describe()).toMatchObject({ journalMode: "wal" });
  });

  test("get E_STORE_BUSY when the other keeps its turn for longer than they may wait", async () => {
    const path = join(await tempDir(), "t.db");
    const first = await start(path);
    const second = await start(path, { busyTimeoutMs: 50 });
    const { held, begun, letGo } = heldTransaction(first, 1);
    await begun;
    const hindered = second.transaction((trx) => writePair(trx, 2));
    await expect(hindered).rejects.toMatchObject({ code: "E_STORE_BUSY" });
    letGo();
    await held;
    await second.transaction((trx) => writePair(trx, 3));
    expect(await readHalves(first.db)).toEqual([1, 1, 3, 3]);
  });
});

describe("what takes long", () => {
  test("does not hold up the rest of the program", async () => {
    const engine = await start(join(await tempDir(), "t.db"));
    const long = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000)
      select count(*) from n`;
    const reading = watch(sql`select * from (${long})`.execute(engine.db));
    let turns = 0;
    while (!reading.done) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reading.promise;
    expect(turns).toBeGreaterThan(100);
  });

  test("does not hold up other reads", async () => {
    const engine = await start(join(await tempDir(), "t.db"));
    await engine.transaction((trx) => writePair(trx, 1));
    // Two at once, so that both readers are open before it matters.
    await Promise.all([readHalves(engine.db), readHalves(engine.db)]);
    const long = sql`select count(*) from (with recursive n (i) as (select 1 union all
      select i + 1 from n where i < 10000000) select i from n)`;
    const reading = watch(long.execute(engine.db));
    expect(await readHalves(engine.db)).toEqual([1, 1]);
    expect(reading.done).toBe(false);
    await reading.promise;
  });
});

/** A transaction that has written a pair and stays open until it is let go. */
function heldTransaction(engine: Engine, pair: number) {
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let tellBegun: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    tellBegun = resolve;
  });
  const held = engine.transaction(async (trx) => {
    await writePair(trx, pair);
    tellBegun();
    await released;
  });
  return { held, begun, letGo: () => letGo() };
}

function watch<T>(promise: Promise<T>): { readonly promise: Promise<T>; done: boolean } {
  const watched = { promise, done: false };
  void promise.finally(() => {
    watched.done = true;
  });
  return watched;
}
