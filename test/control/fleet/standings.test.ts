import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Standings } from "../../../src/control/fleet/standings.ts";
import { openStore, type Store } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import { toResultRow } from "../../../src/validation/history/result-rows.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { intentOf, resultOf } from "../../validation/history/support/samples.ts";

const cluster = "east";

/** Writes the result of a node's run under a number of its own, as a writer that took its time does. */
async function commitAt(store: Store, node: string, seq: number): Promise<void> {
  const intent = intentOf({ cluster, node });
  const result = resultOf(intent);
  const gate = { cluster, fence: 1, inFlightMax: 10 };
  await openHistory(store).planRuns(gate, [intent]);
  const row = toResultRow(result, { origin: "pod", atMs: result.endedAtMs });
  // Numbers are the store's to give; a test gives its own.
  const numbered: typeof row = Object.assign({}, row, { seq });
  await store.db.insertInto("run_results").values(numbered).execute();
  const { id, check } = intent;
  const at = result.endedAtMs;
  const latest = { cluster, check_name: check, node, ended_at: at, ended_run: id };
  await store.db
    .insertInto("latest_runs")
    .values({ ...latest, completed_at: at, completed_run: id })
    .execute();
}

async function newStore(): Promise<Store> {
  const url = `sqlite:${join(await tempDir(), "standings.db")}`;
  const store = await openStore({ url, clock: createRealClock() });
  onTestFinished(() => store.close());
  return store;
}

const { check } = intentOf();

test("a record that is committed late with a smaller number is seen", async () => {
  const store = await newStore();
  const standings = new Standings({ db: store.db, dialect: "postgres" }, cluster);
  await commitAt(store, "n1", 50);
  await standings.refresh([check]);
  await commitAt(store, "n2", 40);
  await standings.refresh([check]);
  expect(standings.get("n2", check)).toBeDefined();
});

test("nothing is read again where one writes after the other and no record was added", async () => {
  const store = await newStore();
  const standings = new Standings({ db: store.db, dialect: "sqlite" }, cluster);
  await commitAt(store, "n1", 50);
  await standings.refresh([check]);
  const before = standings.get("n1", check);
  await standings.refresh([check]);
  expect(standings.get("n1", check)).toBe(before);
});
