import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { judge, nothingExpected, writeUntilKilled } from "./support/killing.ts";
import { readHalves } from "./support/pairs.ts";
import { withPairs } from "./support/pairs-migration.ts";

const seed = "kill -9";

describe("kill -9 of a process that writes to SQLite", () => {
  const lanes = 2;
  const killsPerLane = 100;

  test("loses nothing acknowledged and leaves nothing half-done, 200 times", async () => {
    const folder = await tempDir();
    const kept = await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const path = join(folder, `${lane}.db`);
        const expected = nothingExpected();
        for (let kill = 0; kill < killsPerLane; kill += 1) {
          const rng = createRng(seed).stream(lane, kill);
          const { first } = await writeUntilKilled(`sqlite:${path}`, { expected, rng });
          judge(inspect(path, first), expected, first);
        }
        judge(inspect(path, 0), expected);
        return expected.acknowledged.size;
      }),
    );
    // Otherwise nothing was shown.
    expect(Math.min(...kept)).toBeGreaterThan(killsPerLane);
  }, 180_000);
});

const missing = postgresMissing();
const title = "of a process that writes to PostgreSQL, or of the server";
describe.skipIf(missing !== undefined)(
  `kill -9 ${title}${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.stop());

    const killTimes = async (times: number, disaster?: () => Promise<void>) => {
      const url = (await server?.createDatabase()) ?? "";
      const expected = nothingExpected();
      for (let kill = 0; kill < times; kill += 1) {
        const rng = createRng(seed).stream("postgres", kill);
        const how = disaster === undefined ? {} : { disaster };
        await writeUntilKilled(url, { expected, rng, ...how });
      }
      const store = await openStore({ url, clock: createRealClock(), migrations: withPairs });
      judge(await readHalves(store.db), expected);
      await store.close();
      expect(expected.acknowledged.size).toBeGreaterThan(0);
    };

    test("loses nothing when the process is killed, 20 times", () => killTimes(20), 60_000);

    test("loses nothing when the server is killed, 3 times", async () => {
      await killTimes(3, async () => server?.crash());
    }, 60_000);
  },
);

/** Reads with libsql alone, as someone would who does not trust our code. */
function inspect(path: string, first: number): number[] {
  const Database = createRequire(import.meta.url)("libsql") as new (path: string) => Raw;
  const database = new Database(path);
  try {
    const verdict = database.prepare("pragma integrity_check").all([]);
    expect(verdict).toEqual([{ integrity_check: "ok" }]);
    const tables = database.prepare("select 1 from sqlite_schema where name = 'pairs'").all([]);
    if (tables.length === 0) return [];
    return database
      .prepare("select pair from pairs where pair >= ?")
      .all([first])
      .map((row) => Number(row["pair"]));
  } finally {
    database.close();
  }
}

interface Raw {
  prepare(sql: string): { all(parameters: readonly unknown[]): Record<string, unknown>[] };
  close(): void;
}
