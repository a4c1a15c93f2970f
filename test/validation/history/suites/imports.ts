import { describe, expect, test } from "vitest";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { newHistory, ownHistory, plan, type TestHistory } from "../support/new-history.ts";
import { resultOf, verdictOf } from "../support/samples.ts";

export function importsSuite(engine: EngineUnderTest): void {
  describe("runs recorded as a whole", () => {
    // More than one statement takes.
    const manyRuns = ({ intentOf }: TestHistory) =>
      Array.from({ length: 1203 }, (_, index) => {
        const intent = intentOf({ node: `n${index % 400}`, plannedAtMs: 1000 + index });
        const judged = index % 2 === 0 ? { verdict: verdictOf(intent) } : {};
        return { intent, result: resultOf(intent), origin: "pod" as const, ...judged };
      });

    test("are all there, judged where a verdict came with them, and twice is once", async () => {
      const own = await ownHistory(engine);
      const { history, store, east } = own;
      const runs = manyRuns(own);
      await history.recordRuns(runs);
      await history.recordRuns(runs);
      expect(await history.runs({ cluster: east })).toHaveLength(runs.length);
      expect(await history.openRuns(east)).toEqual([]);
      expect(await history.unjudgedRuns(east, 10_000)).toHaveLength(601);
      expect(await store.db.selectFrom("run_verdicts").select("seq").execute()).toHaveLength(602);
      const latest = await history.latestStatus(east, ["dl-unit"], 0);
      expect(latest.testedAtMs("n7", "dl-unit")).toBe(1000 + 807 + 100);
      expect((await history.lastEndedAtMs(east)).size).toBe(400);
    });

    test("close a run that was open", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intent = intentOf();
      await plan(history, intent);
      await history.recordRuns([{ intent, result: resultOf(intent), origin: "loop" }]);
      expect(await history.openRuns(east)).toEqual([]);
    });

    test("are none at all when one of them cannot be kept", async () => {
      const own = await newHistory(engine);
      const { history, east, intentOf } = own;
      const bad = intentOf({ provenance: "guessed" as "measured", plannedAtMs: 5000 });
      const all = [
        ...manyRuns(own),
        { intent: bad, result: resultOf(bad), origin: "pod" as const },
      ];
      await expect(history.recordRuns(all)).rejects.toThrow(/check/i);
      expect(await history.runs({ cluster: east })).toEqual([]);
      expect((await history.lastEndedAtMs(east)).size).toBe(0);
    });
  });

  describe("a result that cannot be kept", () => {
    test("does not spoil those that came at the same time", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intents = ["n1", "n2", "n3"].map((node) => intentOf({ node }));
      await plan(history, ...intents);
      const outcomes = await Promise.allSettled(
        intents.map((intent) => {
          const endedAtMs = intent.node === "n2" ? Number.NaN : 2000;
          return history.recordResult(resultOf(intent, { endedAtMs }), { origin: "loop", atMs: 1 });
        }),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      const open = await history.openRuns(east);
      expect(open.map(({ intent }) => intent.node)).toEqual(["n2"]);
    });
  });
}
