import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { openStore, type Store } from "../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../../support/postgres.ts";
import { withPairs } from "./pairs-migration.ts";

/** One engine of the suite that both must pass. */
export interface EngineUnderTest {
  readonly name: "sqlite" | "postgres";
  /** The URL of a store that does not exist yet. */
  newUrl(): Promise<string>;
  /** A new store with the table `pairs` beside its own. Close it in the test. */
  newStore(): Promise<Store>;
}

/** Runs a suite on both engines; says why where one is missing. */
export function describeOnEngines(body: (engine: EngineUnderTest) => void): void {
  describe("on SQLite", () => {
    let folder = "";
    let count = 0;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "tessera-store-"));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    body(underTest("sqlite", async () => `sqlite:${join(folder, `${++count}.db`)}`));
  });
  const missing = postgresMissing();
  const title = missing === undefined ? "on PostgreSQL" : `on PostgreSQL (skipped: ${missing})`;
  describe.skipIf(missing !== undefined)(title, () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await startPostgres({ fsync: false });
    });
    afterAll(() => server?.stop());
    body(
      underTest("postgres", () => {
        if (server === undefined) throw new Error("the server has not started");
        return server.createSchema();
      }),
    );
  });
}

function underTest(name: EngineUnderTest["name"], newUrl: () => Promise<string>): EngineUnderTest {
  const clock = createRealClock();
  return {
    name,
    newUrl,
    newStore: async () => openStore({ url: await newUrl(), clock, migrations: withPairs }),
  };
}
