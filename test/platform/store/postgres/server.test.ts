import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Engine } from "../../../../src/platform/store/engine.ts";
import { auditLog, openStore, storeProbe } from "../../../../src/platform/store/index.ts";
import { migrate } from "../../../../src/platform/store/migrate.ts";
import { migrations } from "../../../../src/platform/store/migrations/index.ts";
import { openPostgres } from "../../../../src/platform/store/postgres/open-postgres.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../../support/postgres.ts";
import { readHalves, writePair } from "../support/pairs.ts";
import { withPairs } from "../support/pairs-migration.ts";

const clock = createRealClock();
const entry = { atMs: 1, actor: "a", action: "b", subject: "c" };
const missing = postgresMissing();
const reason = missing === undefined ? "" : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`a PostgreSQL server${reason}`, () => {
  let server: PostgresServer | undefined;
  const newUrl = () => server?.createDatabase() ?? Promise.reject(new Error("it has not started"));
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  test("that restarts costs the writes under way, not the store", async () => {
    const warnings: string[] = [];
    const log = {
      warn: (_: object, text: string) => void warnings.push(text),
      info: () => undefined,
    };
    const store = await openStore({ url: await newUrl(), clock, log });
    onTestFinished(() => store.close());
    await auditLog.append(store.db, entry);
    const interrupted = store.transaction(async (trx) => {
      await auditLog.append(trx, entry);
      await server?.crash();
      await auditLog.append(trx, entry);
    });
    await expect(interrupted).rejects.toMatchObject({ code: "E_STORE_UNUSABLE" });
    // Connections that were idle are found dead one by one, and replaced.
    await expect
      .poll(() => auditLog.list(store.db).catch(() => []), { timeout: 60_000 })
      .toHaveLength(1);
    await store.transaction((trx) => auditLog.append(trx, entry));
    expect(await auditLog.list(store.db)).toHaveLength(2);
  });

  test("undoes a transaction that leaves its turn unused", async () => {
    const url = await newUrl();
    // Apart from the short limit: on a busy machine a migration may pause for longer than that.
    const patient = await openPostgres({ url, shown: url });
    await migrate(patient, { migrations: withPairs, clock });
    await patient.close();
    const engine = await openPostgres({ url, shown: url, idleMsMax: 100 });
    onTestFinished(() => engine.close());
    const forgotten = engine.transaction(async (trx) => {
      await writePair(trx, 1);
      await expect.poll(() => openTransactions(engine), { timeout: 60_000 }).toBe(0);
      await writePair(trx, 2);
    });
    await expect(forgotten).rejects.toMatchObject({ code: "E_STORE_BUSY" });
    expect(await readHalves(engine.db)).toEqual([]);
  });

  test("is not backed up by Tessera, which says what to use instead", async () => {
    const store = await openStore({ url: await newUrl(), clock });
    onTestFinished(() => store.close());
    await expect(store.backup("/nowhere/copy.db")).rejects.toMatchObject({
      code: "E_STORE_UNUSABLE",
      hint: expect.stringContaining("pg_dump") as string,
    });
  });

  test("without the database asked for gives advice", async () => {
    const url = (await newUrl()).replace(/tessera_\d+/, "no_such_database");
    await expect(openStore({ url, clock })).rejects.toMatchObject({
      code: "E_STORE_UNUSABLE",
      hint: expect.stringContaining("createdb") as string,
    });
  });

  test("is found by the doctor, who creates nothing in it", async () => {
    const url = await newUrl();
    const probe = storeProbe({ url });
    const context = { clock, signal: new AbortController().signal, env: {} };
    const before = await probe.find(context);
    expect(before).toMatchObject({
      state: "works",
      evidence: { pendingMigrations: migrations.length },
    });
    expect(before.reason).toContain("PostgreSQL");
    expect(await probe.find(context)).toEqual(before);
    await (await openStore({ url, clock })).close();
    expect(await probe.find(context)).toMatchObject({ evidence: { pendingMigrations: 0 } });
  });
});

/** How many sessions of this database are in a transaction and do nothing. */
async function openTransactions(engine: Engine): Promise<number> {
  const sessions = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`;
  return (await sessions.execute(engine.db)).rows[0]?.count ?? 0;
}

describe("a PostgreSQL server that is not there", () => {
  const url = "postgres://ann:s3cret@127.0.0.1:1/tessera";

  test("is reported with its address and without the password", async () => {
    const error: unknown = await openStore({ url, clock }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "E_STORE_UNUSABLE" });
    expect(String(error)).toContain("postgres://ann:***@127.0.0.1:1/tessera");
    expect(JSON.stringify(error) + String(error)).not.toContain("s3cret");
  });

  test("is found missing by the doctor", async () => {
    const context = { clock, signal: new AbortController().signal, env: {} };
    const finding = await storeProbe({ url }).find(context);
    expect(finding).toMatchObject({ state: "missing", evidence: { code: "E_STORE_UNUSABLE" } });
    expect(JSON.stringify(finding)).not.toContain("s3cret");
  });
});
