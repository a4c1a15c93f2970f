import { describe, expect, test } from "vitest";
import { readDayCounts } from "../../../../src/validation/history/day-counts.ts";
import {
  readChangedNodes,
  readNewestEnds,
  readRecordMark,
} from "../../../../src/validation/history/newest-ends.ts";
import {
  type CompletedFigures,
  readCompletedFigures,
  readNewestCompleted,
} from "../../../../src/validation/history/newest-figures.ts";
import { readLookEnd, readRunPage } from "../../../../src/validation/history/run-pages.ts";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { newHistory, plan, type TestHistory } from "../support/new-history.ts";
import { fromLoop, fromPod, resultOf, verdictOf } from "../support/samples.ts";

const dayMs = 86_400_000;

/** Ten runs of ten nodes, a second apart; the third of them failed. */
async function tenRuns({ history, intentOf }: TestHistory) {
  const intents = Array.from({ length: 10 }, (_, at) =>
    intentOf({ node: `n${at}`, plannedAtMs: 1000 * (at + 1) }),
  );
  await plan(history, ...intents);
  for (const [at, intent] of intents.entries()) {
    await history.recordResult(resultOf(intent), fromPod());
    const verdict = at === 2 ? "fail" : "pass";
    await history.recordVerdicts([verdictOf(intent, { verdict })]);
  }
  return intents;
}

/** What the dashboard reads. */
export function pagesSuite(engine: EngineUnderTest): void {
  describe("a page of runs", () => {
    test("goes on where the last one ended, and has the newest verdict on each run", async () => {
      const given = await newHistory(engine);
      const { store, east: cluster, history } = given;
      const intents = await tenRuns(given);
      const first = await readRunPage(store.db, { cluster, limit: 4 });
      expect(first.map(({ intent }) => intent.node)).toEqual(["n9", "n8", "n7", "n6"]);
      const last = first.at(-1);
      const before = { plannedAtMs: last?.intent.plannedAtMs ?? 0, seq: last?.seq ?? 0 };
      const rest = await readRunPage(store.db, { cluster, before, limit: 100 });
      expect(rest.map(({ intent }) => intent.node)).toEqual(["n5", "n4", "n3", "n2", "n1", "n0"]);
      const failed = { cluster, verdict: "fail", limit: 10 } as const;
      expect((await readRunPage(store.db, failed)).map(({ intent }) => intent.node)).toEqual([
        "n2",
      ]);
      const revised = intents[2] ?? given.intentOf();
      await history.recordVerdicts([verdictOf(revised, { verdict: "pass", reason: "revised" })]);
      expect(await readRunPage(store.db, failed)).toEqual([]);
    });

    test("that is sifted ends where the look ends, and the next look finds what lies behind", async () => {
      const given = await newHistory(engine);
      const { store, east: cluster } = given;
      await tenRuns(given);
      const wanted = { cluster, verdict: "fail" } as const;
      const from = await readLookEnd(store.db, wanted, 5);
      expect(from?.plannedAtMs).toBe(6000);
      const within = { ...wanted, ...(from === undefined ? {} : { from }), limit: 10 };
      expect(await readRunPage(store.db, within)).toEqual([]);
      const next = { ...wanted, ...(from === undefined ? {} : { before: from }) };
      expect(await readLookEnd(store.db, next, 6)).toBeUndefined();
      const found = await readRunPage(store.db, { ...next, limit: 10 });
      expect(found.map(({ intent }) => intent.node)).toEqual(["n2"]);
    });
  });

  describe("the newest ends", () => {
    test("are those of the last run and of the last that completed; the pod's word outweighs ours", async () => {
      const { store, history, east: cluster, intentOf } = await newHistory(engine);
      const check = "dl-unit";
      const [done, lost] = [intentOf(), intentOf({ plannedAtMs: 2000 })];
      await plan(history, done);
      const mark = await readRecordMark(store.db);
      await history.recordResult(resultOf(done, { outcome: "error", error: "gone" }), fromLoop);
      await history.recordResult(resultOf(done), fromPod());
      const findings = [
        { metric: "*", rule: "incident", value: null, bound: null, cohort: "h100" },
      ] as const;
      await history.recordVerdicts([verdictOf(done, { verdict: "suspect", findings })]);
      await plan(history, lost);
      await history.recordResult(resultOf(lost, { outcome: "timeout", error: "slow" }), fromLoop);
      const of = { afterNode: "", limit: 10 };
      const [ends, ...others] = await readNewestEnds(store.db, { cluster, check, of });
      expect(others).toEqual([]);
      expect(ends).toMatchObject({
        node: "n1",
        ended: { runId: lost.id, outcome: "timeout", verdict: undefined, isIncident: false },
        completed: { runId: done.id, verdict: "suspect", isIncident: true },
      });
      const none = { cluster, check, of: { nodes: ["n2"] } };
      expect(await readNewestEnds(store.db, none)).toEqual([]);
      const changed = await readChangedNodes(store.db, { cluster, since: mark, limit: 10 });
      expect(changed).toEqual(new Set(["n1"]));
      const tooMany = { cluster, since: mark, limit: 0 };
      expect(await readChangedNodes(store.db, tooMany)).toBeUndefined();
    });

    test("have figures of what completed, and of nothing else", async () => {
      const { store, history, east: cluster, intentOf } = await newHistory(engine);
      const [done, failed] = [intentOf(), intentOf({ node: "n2" })];
      await plan(history, done, failed);
      const figures = { busbw: { samples: [46, 47], higherIsBetter: true, unit: "GB/s" } };
      await history.recordResult(resultOf(done, { figures }), fromPod());
      await history.recordResult(resultOf(failed, { outcome: "error", figures }), fromPod());
      const { check, sku } = done;
      const wish = { cluster, check, sku, fromMs: 0, limit: 10 };
      expect(await readNewestCompleted(store.db, wish)).toEqual([{ node: "n1", runId: done.id }]);
      expect(await readNewestCompleted(store.db, { ...wish, sku: "b200" })).toEqual([]);
      const read: CompletedFigures[] = [];
      const ids = [done.id, failed.id, "never-planned"];
      for await (const part of readCompletedFigures(store.db, ids)) read.push(...part);
      expect(read).toEqual([{ runId: done.id, cohort: "", figures }]);
    });
  });

  describe("counts of days", () => {
    test("have each run once, on the day of its plan, by its newest verdict", async () => {
      const { store, history, east: cluster, intentOf } = await newHistory(engine);
      const [first, second, open] = [
        intentOf({ plannedAtMs: 3 * dayMs, gpuHours: 0.5 }),
        intentOf({ plannedAtMs: 5 * dayMs - 1, gpuHours: 1 }),
        intentOf({ plannedAtMs: 5 * dayMs, gpuHours: 2 }),
      ];
      for (const intent of [first, second]) {
        await plan(history, intent);
        await history.recordResult(resultOf(intent), fromPod());
        await history.recordVerdicts([verdictOf(intent, { verdict: "suspect" })]);
      }
      await history.recordVerdicts([verdictOf(second, { verdict: "fail" })]);
      await plan(history, open);
      const days = { cluster, fromDay: 3, beforeDay: 6 };
      expect(await readDayCounts(store.db, days)).toEqual([
        { day: 3, runs: 1, gpuHours: 0.5, verdicts: { suspect: 1 } },
        { day: 4, runs: 1, gpuHours: 1, verdicts: { fail: 1 } },
        { day: 5, runs: 1, gpuHours: 2, verdicts: {} },
      ]);
      expect(await readDayCounts(store.db, { ...days, fromDay: 6, beforeDay: 9 })).toEqual([]);
    });
  });
}
