import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { type History, openHistory } from "../../../src/validation/history/index.ts";
import { type ReportQuery, readReportData } from "../../../src/validation/report/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { dayMs, type RunSketch, run, untilMs } from "./support.ts";

async function newSource() {
  const store = await openStore({
    url: `sqlite:${join(await tempDir(), "report.db")}`,
    clock: createRealClock(),
  });
  onTestFinished(() => store.close());
  return { store, history: openHistory(store) };
}

async function record(history: History, sketches: readonly RunSketch[]): Promise<void> {
  await history.recordRuns(
    sketches.map((sketch) => {
      const { intent, result, verdict } = run(sketch);
      if (result === undefined) throw new Error("a run that ended is wanted");
      return {
        intent,
        result,
        origin: "pod" as const,
        ...(verdict === undefined ? {} : { verdict }),
      };
    }),
  );
}

const query: ReportQuery = {
  cluster: "lab",
  about: "a lab",
  provenance: "measured",
  fromMs: untilMs - 7 * dayMs,
  untilMs,
  settings: {
    checks: [{ name: "dl-unit" }],
    staleAfterDays: 7,
    guard: { gpuHoursPerDay: 100 },
  } as unknown as ReportQuery["settings"],
};
const figure = (...samples: readonly number[]) => ({
  tflops: { samples, higherIsBetter: true, unit: "TFLOP/s" },
});

describe("what a report is read from", () => {
  it("holds the median of the newest figures of each node, and none of older runs", async () => {
    const source = await newSource();
    await record(source.history, [
      { node: "n1", daysAgo: 1, figures: figure(3, 1, Number.NaN, 2) },
      { node: "n1", daysAgo: 2, figures: figure(9, 9, 9) },
      { node: "n2", daysAgo: 3, figures: figure(5) },
    ]);
    const { runs } = await readReportData(source, query);
    expect(runs.map(({ result }) => result?.figures)).toEqual([
      { tflops: { samples: [2], higherIsBetter: true, unit: "TFLOP/s" } },
      {},
      { tflops: { samples: [5], higherIsBetter: true, unit: "TFLOP/s" } },
    ]);
  });

  it("keeps the newest completed figures behind a run that failed to complete", async () => {
    const source = await newSource();
    await record(source.history, [
      { node: "n1", daysAgo: 1, outcome: "error", error: "no image", verdict: "unknown" },
      { node: "n1", daysAgo: 2, figures: figure(7) },
    ]);
    const { runs } = await readReportData(source, query);
    expect(runs.map(({ result }) => Object.keys(result?.figures ?? {}))).toEqual([[], ["tflops"]]);
  });

  it("reads more runs than a page holds, each once, newest plan first", async () => {
    const source = await newSource();
    // Many of them at one moment, so that the place among equals has to be kept.
    const count = 2100;
    await record(
      source.history,
      Array.from({ length: count }, (_, at) => ({
        node: `n${at}`,
        daysAgo: 1 + Math.floor(at / 700),
      })),
    );
    const { runs, runsLeftOut } = await readReportData(source, query);
    expect(new Set(runs.map(({ intent }) => intent.id)).size).toBe(count);
    const planned = runs.map(({ intent }) => intent.plannedAtMs);
    expect(planned).toEqual(planned.toSorted((a, b) => b - a));
    expect(runsLeftOut).toBe(0);
  });

  it("says how many runs are left out when there are more than it reads", async () => {
    const source = await newSource();
    const nodes = Array.from({ length: 7 }, (_, at) => ({ node: `n${at}` }));
    await record(source.history, nodes);
    const { runs, runsLeftOut } = await readReportData(source, { ...query, runsMax: 3 });
    expect([runs.length, runsLeftOut]).toEqual([3, 4]);
    const whole = await readReportData(source, { ...query, runsMax: 7 });
    expect([whole.runs.length, whole.runsLeftOut]).toEqual([7, 0]);
  });

  it("takes the newest word about a node before the end of the window, and none after it", async () => {
    const source = await newSource();
    await record(source.history, [{ node: "n1" }]);
    const event = { cluster: "lab", node: "n1", details: {} };
    await source.history.recordNodeEvents([
      { ...event, atMs: untilMs - 3000, kind: "busy" },
      { ...event, atMs: untilMs - 2000, kind: "free" },
      { ...event, atMs: untilMs + 1000, kind: "busy" },
    ]);
    const { nodes } = await readReportData(source, query);
    expect(nodes).toMatchObject([{ name: "n1", state: "free" }]);
  });

  it("ends with the signal's reason once nobody waits for it", async () => {
    const source = await newSource();
    await record(source.history, [{ node: "n1" }]);
    const signal = AbortSignal.abort(new Error("nobody waits"));
    await expect(readReportData(source, { ...query, signal })).rejects.toThrow("nobody waits");
  });
});
