import { describe, expect, test } from "vitest";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { newHistory, ownHistory, plan } from "../support/new-history.ts";
import { fromLoop, fromPod, resultOf, verdictOf } from "../support/samples.ts";

const full = {
  outcome: "completed",
  startedAtMs: 1050,
  endedAtMs: 1100,
  figures: {
    "busbw é": { samples: [1.5, 0, 1e300, -3], higherIsBetter: true, unit: "GB/s" },
    latency: { samples: [], higherIsBetter: false },
  },
  hardFacts: ["wrong result on GPU 3", "'; drop table runs --"],
  cohort: "driver-550",
  facts: { driver: "550.54", nested: { list: [1, null, "x"] } },
} as const;

export function runsSuite(engine: EngineUnderTest): void {
  describe("a run", () => {
    test("is given back with all that was said about it", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intent = intentOf({ gpuHours: 0.1 + 0.2, fileSystem: "/data", purpose: "retest" });
      await plan(history, intent);
      expect(await history.findIntent(intent.id)).toEqual(intent);
      expect(await history.runs({ cluster: east })).toEqual([
        { intent, result: undefined, verdict: undefined },
      ]);
      const result = { runId: intent.id, ...full };
      await history.recordResult(result, fromPod());
      const findings = [
        { metric: "busbw", rule: "band", value: 1.5, bound: null, cohort: "h100, 30 nodes" },
      ] as const;
      const verdict = verdictOf(intent, { verdict: "fail", findings, baselineId: "b1" });
      await history.recordVerdicts([verdict]);
      expect(await history.runs({ cluster: east })).toEqual([
        { intent, result: { ...result, origin: "pod" }, verdict: { ...verdict, about: "pod" } },
      ]);
    });

    test("that nobody planned is not found, takes no result, no note and no verdict", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intent = intentOf();
      expect(await history.findIntent(intent.id)).toBeUndefined();
      expect(await history.recordResult(resultOf(intent), fromPod())).toBe("no-such-run");
      const note = history.noteRun(intent.id, { phase: "running", atMs: 1 });
      await expect(note).rejects.toThrow(/foreign key/i);
      await expect(history.recordVerdicts([verdictOf(intent)])).rejects.toThrow(/foreign key/i);
      expect(await history.runs({ cluster: east })).toEqual([]);
    });

    test("is found by any filter that it meets, newest first, and by none that it does not", async () => {
      const { history, east, west, intentOf } = await ownHistory(engine);
      const first = intentOf({ node: "n1", plannedAtMs: 1000 });
      const second = intentOf({ node: "n2", check: "storage-io", plannedAtMs: 2000 });
      const elsewhere = intentOf({ cluster: west, node: "n1", plannedAtMs: 3000 });
      await plan(history, first, second, elsewhere);
      const found = async (filter: Parameters<typeof history.runs>[0]) =>
        (await history.runs(filter)).map(({ intent }) => intent.plannedAtMs);
      expect(await found({})).toEqual([3000, 2000, 1000]);
      expect(await found({ cluster: east })).toEqual([2000, 1000]);
      expect(await found({ node: "n1" })).toEqual([3000, 1000]);
      expect(await found({ cluster: east, node: "n1", check: "dl-unit" })).toEqual([1000]);
      expect(await found({ check: "storage-io" })).toEqual([2000]);
      expect(await found({ plannedFromMs: 2000, plannedBeforeMs: 3000 })).toEqual([2000]);
      expect(await found({ limit: 1 })).toEqual([3000]);
      expect(await found({ cluster: "north" })).toEqual([]);
    });
  });

  describe("a sample that is no number", () => {
    test("never comes back as one", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intent = intentOf();
      await plan(history, intent);
      const samples = [1, Number.NaN, Number.POSITIVE_INFINITY, 0];
      const figures = { busbw: { samples, higherIsBetter: true } };
      await history.recordResult(resultOf(intent, { figures }), fromPod());
      const [record] = await history.runs({ cluster: east });
      expect(record?.result?.figures["busbw"]?.samples).toEqual([1, Number.NaN, Number.NaN, 0]);
    });
  });

  describe("a result handed in twice", () => {
    test("counts once, the first, and both ways are kept with what came", async () => {
      const { history, store, east, intentOf } = await ownHistory(engine);
      const intent = intentOf();
      await plan(history, intent);
      const answers = await Promise.all([
        history.recordResult(resultOf(intent), fromPod("post")),
        history.recordResult(resultOf(intent, { outcome: "error" }), fromPod("file")),
        history.recordResult(resultOf(intent, { outcome: "error" }), fromPod("post")),
      ]);
      expect(answers).toEqual(["recorded", "already", "already"]);
      expect(await history.runs({ cluster: east })).toMatchObject([
        { result: { outcome: "completed" } },
      ]);
      const handIns = await store.db.selectFrom("run_hand_ins").select(["way", "digest"]).execute();
      const { digest } = fromPod();
      expect(handIns).toEqual([
        { way: "post", digest },
        { way: "file", digest },
      ]);
    });

    test("by its pod after the loop gave it up counts, and waits for a verdict again", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intent = intentOf();
      await plan(history, intent);
      const silence = resultOf(intent, { outcome: "error", endedAtMs: 9000, error: "silence" });
      expect(await history.recordResult(silence, fromLoop)).toBe("recorded");
      await history.recordVerdicts([verdictOf(intent, { verdict: "unknown" })]);
      expect(await history.unjudgedRuns(east, 10)).toEqual([]);
      expect((await history.latestStatus(east, ["dl-unit"], 0)).testedAtMs("n1", "dl-unit")).toBe(
        undefined,
      );
      expect(await history.recordResult(resultOf(intent), fromPod("file"))).toBe("recorded");
      expect(await history.recordResult(silence, fromLoop)).toBe("already");
      expect(await history.unjudgedRuns(east, 10)).toMatchObject([
        { result: { origin: "pod", outcome: "completed" }, verdict: { verdict: "unknown" } },
      ]);
      expect((await history.lastEndedAtMs(east)).get("n1")).toBe(1100);
      await history.recordVerdicts([verdictOf(intent)]);
      expect(await history.unjudgedRuns(east, 10)).toEqual([]);
    });

    test("by the loop after its pod changes nothing that counts", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intent = intentOf();
      await plan(history, intent);
      await history.recordResult(resultOf(intent), fromPod());
      const late = resultOf(intent, { outcome: "timeout", endedAtMs: 9000 });
      expect(await history.recordResult(late, fromLoop)).toBe("recorded");
      expect(await history.runs({ cluster: east })).toMatchObject([{ result: { origin: "pod" } }]);
      expect((await history.lastEndedAtMs(east)).get("n1")).toBe(1100);
    });
  });

  describe("a verdict", () => {
    test("on what the loop concluded does not settle what the pod handed in meanwhile", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      const intent = intentOf();
      await plan(history, intent);
      await history.recordResult(resultOf(intent, { outcome: "error" }), fromLoop);
      await history.recordResult(resultOf(intent, { hardFacts: ["wrong result"] }), fromPod());
      await history.recordVerdicts([verdictOf(intent, { verdict: "unknown", about: "loop" })]);
      expect(await history.unjudgedRuns(east, 10)).toHaveLength(1);
      await history.recordVerdicts([verdictOf(intent, { verdict: "fail", about: "pod" })]);
      expect(await history.unjudgedRuns(east, 10)).toEqual([]);
    });

    test("that is newer takes the place of an older one, and both stay", async () => {
      const { history, store, east, intentOf } = await ownHistory(engine);
      const intent = intentOf();
      await plan(history, intent);
      await history.recordResult(resultOf(intent), fromPod());
      await history.recordVerdicts([
        verdictOf(intent, { verdict: "suspect" }),
        verdictOf(intent, { verdict: "fail" }),
      ]);
      expect(await history.runs({ cluster: east })).toMatchObject([
        { verdict: { verdict: "fail" } },
      ]);
      expect(await store.db.selectFrom("run_verdicts").select("seq").execute()).toHaveLength(2);
    });

    test("is asked for on the run that ended first, and on no more than wanted", async () => {
      const { history, east, intentOf } = await newHistory(engine);
      for (const [node, endedAtMs] of [
        ["n1", 3000],
        ["n2", 2000],
        ["n3", 2500],
      ] as const) {
        const intent = intentOf({ node });
        await plan(history, intent);
        await history.recordResult(resultOf(intent, { endedAtMs }), fromPod());
      }
      const waiting = await history.unjudgedRuns(east, 2);
      expect(waiting.map(({ intent }) => intent.node)).toEqual(["n2", "n3"]);
      expect(await history.unjudgedRuns("north", 2)).toEqual([]);
    });
  });
}
