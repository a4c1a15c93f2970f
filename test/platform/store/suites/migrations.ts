import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../../src/platform/store/index.ts";
import type { Migration } from "../../../../src/platform/store/migration.ts";
import { migrations } from "../../../../src/platform/store/migrations/index.ts";
import { openEngine } from "../../../../src/platform/store/open-store.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { startProgram } from "../support/child-program.ts";
import type { EngineUnderTest } from "../support/engines.ts";
import { withPairs } from "../support/pairs-migration.ts";

const clock = new VirtualClock({ epochMs: 1_000 });

export function migrationSuite(engine: EngineUnderTest): void {
  describe("the schema", () => {
    test("is created by the first to open the store, and found by the next", async () => {
      const url = await engine.newUrl();
      const first = await openStore({ url, clock });
      const again = await openStore({ url, clock: new VirtualClock({ epochMs: 2_000 }) });
      onTestFinished(() => Promise.all([first.close(), again.close()]).then(() => undefined));
      expect(first.schemaVersion).toBe(migrations.length);
      expect(first.instance.createdAtMs).toBe(1_000);
      expect(again.instance).toEqual(first.instance);
      expect(first.instance.id).toMatch(/^[0-9a-f-]{36}$/);
    });

    test("goes forward when the code knows more", async () => {
      const url = await engine.newUrl();
      const told: object[] = [];
      const log = { warn: () => undefined, info: (facts: object) => void told.push(facts) };
      await (await openStore({ url, clock })).close();
      const store = await openStore({ url, clock, migrations: withPairs, log });
      await store.close();
      expect(store.schemaVersion).toBe(migrations.length + 1);
      expect(told).toMatchObject([{ migrations: [migrations.length + 1] }]);
    });

    test("of a newer Tessera is refused and left alone", async () => {
      const url = await engine.newUrl();
      await (await openStore({ url, clock, migrations: withPairs })).close();
      const before = await appliedIn(url);
      await expect(openStore({ url, clock })).rejects.toMatchObject({
        code: "E_STORE_NEWER",
        details: { found: migrations.length + 1, known: migrations.length },
      });
      expect(await appliedIn(url)).toEqual(before);
    });

    test.each([
      ["whose statements differ", { checksum: "0".repeat(64) }, "was not made by"],
      ["whose name differs", { name: "attic" }, 'is "attic", this Tessera\'s is "foundation"'],
      ["that begins later", { number: 2 }, "migration 1 is missing"],
    ])("with a history %s is refused and left alone", async (_, change, words) => {
      const url = await engine.newUrl();
      const [first] = withPairs;
      await (
        await openStore({ url, clock, migrations: first === undefined ? [] : [first] })
      ).close();
      await tamper(url, change);
      const before = await appliedIn(url);
      await expect(openStore({ url, clock, migrations: withPairs })).rejects.toMatchObject({
        code: "E_STORE_HISTORY",
        message: expect.stringContaining(words) as string,
      });
      expect(await appliedIn(url)).toEqual(before);
    });

    test("stays as it was when a migration fails, and goes on once it is mended", async () => {
      const url = await engine.newUrl();
      await (await openStore({ url, clock })).close();
      const broken: Migration = {
        number: migrations.length + 1,
        name: "broken",
        statements: () => [
          "create table half_way (x integer)",
          "create table half_way (x integer)",
        ],
      };
      const attempt = openStore({ url, clock, migrations: [...migrations, broken] });
      await expect(attempt).rejects.toMatchObject({
        code: "E_STORE_UNUSABLE",
        message: expect.stringContaining(
          `(broken) failed, the schema is still at ${migrations.length}`,
        ) as string,
      });
      const mended = { ...broken, statements: () => ["create table half_way (x integer)"] };
      const store = await openStore({ url, clock, migrations: [...migrations, mended] });
      await sql`select x from half_way`.execute(store.db);
      await store.close();
    });

    test("is migrated by exactly one of several processes that start at once", async () => {
      const url = await engine.newUrl();
      const opened = await Promise.all(
        Array.from({ length: 3 }, async () => (await startProgram("open-store", [url])).result),
      );
      expect(opened.map(({ code, stderr }) => [code, stderr])).toEqual(opened.map(() => [0, ""]));
      const instances = new Set(opened.map(({ stdout }) => stdout.trim()));
      expect(instances.size).toBe(1);
      expect(await appliedIn(url)).toHaveLength(migrations.length);
    });
  });
}

async function appliedIn(url: string): Promise<readonly object[]> {
  const engine = await openEngine({ url, clock });
  try {
    return await engine.readHistory();
  } finally {
    await engine.close();
  }
}

async function tamper(
  url: string,
  change: { readonly number?: number; readonly name?: string; readonly checksum?: string },
): Promise<void> {
  const engine = await openEngine({ url, clock });
  const [[column, value] = ["", ""]] = Object.entries(change);
  await sql`update tessera_migrations set ${sql.ref(column)} = ${value}`.execute(engine.db);
  await engine.close();
}
