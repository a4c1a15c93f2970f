import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditLog, openStore, tokens } from "../../../../src/platform/store/index.ts";
import { recordTables } from "../../../../src/platform/store/migrations/0002-records.ts";
import { migrations } from "../../../../src/platform/store/migrations/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { openHistory } from "../../../../src/validation/history/index.ts";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { newHistory, ownHistory, plan, type TestHistory } from "../support/new-history.ts";
import { fromLoop, fromPod, intentOf, resultOf, verdictOf } from "../support/samples.ts";

const clock = createRealClock();

export function schemaSuite(engine: EngineUnderTest): void {
  describe("the records of runs", () => {
    test("cannot be changed or removed, by whatever means", async () => {
      const own = await newHistory(engine);
      const { store } = own;
      await fillEveryTable(own);
      for (const table of recordTables) {
        const before = await sql.raw<object>(`select * from ${table}`).execute(store.db);
        expect(before.rows.length, table).toBeGreaterThan(0);
        const column = Object.keys(before.rows[0] ?? {})[1];
        for (const change of [
          `update ${table} set ${column} = ${column}`,
          `delete from ${table}`,
          ...(engine.name === "postgres" ? [`truncate ${table} cascade`] : []),
        ]) {
          await expect(sql.raw(change).execute(store.db)).rejects.toThrow("append-only");
        }
        const after = await sql.raw(`select * from ${table}`).execute(store.db);
        expect(after.rows).toEqual(before.rows);
      }
    });
  });

  describe("a store from before there were runs", () => {
    test("is brought up to date and keeps what it had", async () => {
      const url = await engine.newUrl();
      const first = await openStore({ url, clock, migrations: migrations.slice(0, 1) });
      const entry = { atMs: 5, actor: "ann", action: "start", subject: "here" };
      await auditLog.append(first.db, entry);
      const token = { id: "t1", name: "ci", role: "read", hash: "h", createdAtMs: 7 } as const;
      await tokens.add(first.db, token);
      await first.close();
      const store = await openStore({ url, clock });
      onTestFinished(() => store.close());
      expect(store.schemaVersion).toBe(migrations.length);
      expect(store.instance).toEqual(first.instance);
      expect(await auditLog.list(store.db)).toMatchObject([entry]);
      expect(await tokens.list(store.db)).toEqual([token]);
      await plan(openHistory(store), intentOf());
    });
  });

  describe("the seed's table", () => {
    test("has the newest run of each node and test, and its result in the seed's words", async () => {
      const { history, store, east, west, intentOf } = await ownHistory(engine);
      const old = intentOf({ node: "n1", plannedAtMs: 1_736_000_000_000 });
      const failed = intentOf({ node: "n1", plannedAtMs: 1_736_367_000_000 });
      const silent = intentOf({ node: "n2", plannedAtMs: 1_736_367_000_000 });
      const elsewhere = intentOf({ cluster: west, node: "n1", provenance: "simulated" });
      const run = { origin: "pod" as const };
      await history.recordRuns([
        {
          intent: failed,
          result: resultOf(failed),
          ...run,
          verdict: verdictOf(failed, { verdict: "fail" }),
        },
        { intent: old, result: resultOf(old), ...run, verdict: verdictOf(old) },
        { intent: silent, result: resultOf(silent, { outcome: "error" }), ...run },
        { intent: elsewhere, result: resultOf(elsewhere), ...run, verdict: verdictOf(elsewhere) },
      ]);
      await plan(history, intentOf({ node: "n3" }));
      const rows = await sql`select "Node", "Test Name", "Timestamp", "Result", "Cluster",
        "Provenance" from latest_status order by "Cluster", "Node"`.execute(store.db);
      const row = { "Test Name": "dl-unit", Cluster: east, Provenance: "measured" };
      expect(rows.rows).toEqual([
        { ...row, Node: "n1", Timestamp: 1_736_367_000, Result: "Fail" },
        { ...row, Node: "n2", Timestamp: 1_736_367_000, Result: "Unknown" },
        {
          ...row,
          Node: "n1",
          Timestamp: 1,
          Result: "Pass",
          Cluster: west,
          Provenance: "simulated",
        },
      ]);
    });
  });

  describe("the table of all runs", () => {
    test("tells people of each run when, how and why", async () => {
      const { history, store, intentOf } = await ownHistory(engine);
      const intent = intentOf({ plannedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) });
      const open = intentOf({ node: "n2" });
      await plan(history, intent, open);
      await history.recordResult(resultOf(intent, { outcome: "error" }), fromLoop);
      await history.recordResult(resultOf(intent, { startedAtMs: intent.plannedAtMs }), fromPod());
      await history.recordVerdicts([verdictOf(intent, { verdict: "suspect", reason: "slow" })]);
      const rows = await sql`select * from test_runs order by "Node"`.execute(store.db);
      expect(rows.rows).toMatchObject([
        {
          Run: intent.id,
          Planned: "2026-01-02T03:04:05Z",
          Started: "2026-01-02T03:04:05Z",
          Outcome: "completed",
          Result: "Suspect",
          Why: "slow",
          "GPU-Hours": 0.5,
        },
        { Run: open.id, Outcome: "open", Result: null, Started: null, Ended: null },
      ]);
    });
  });
}

async function fillEveryTable({ history, east, intentOf }: TestHistory): Promise<void> {
  const intent = intentOf();
  await plan(history, intent);
  await history.noteRun(intent.id, { phase: "submitted", atMs: 1 });
  await history.recordResult(resultOf(intent), fromPod());
  await history.recordVerdicts([verdictOf(intent)]);
  const event = { cluster: east, node: "n1", atMs: 1, kind: "free", details: {} } as const;
  await history.recordNodeEvents([event]);
  const about = { sku: "h100", check: "dl-unit", cohort: "", figures: {}, provenance: {} };
  await history.saveBaseline(
    { id: "b1", ...about, madeAtMs: 1, expiresAtMs: 2 },
    { actor: "ann", reason: "enough" },
  );
}
