import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import { type History, openHistory } from "../../../src/validation/history/index.ts";
import { createRunJudge, type RunJudge } from "../../../src/validation/judge/index.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { dayMs, fleet, hourMs, run, startMs } from "./records.ts";

const guard = {
  inFlightMax: 4,
  perRackMax: 4,
  perFileSystemMax: 4,
  cooldownMs: 4 * hourMs,
  retestAfterMs: 600_000,
  gpuHoursPerDay: Number.POSITIVE_INFINITY,
  quietHours: [],
};
const check = {
  name: "speed-test",
  minutes: 5,
  sensitivity: {},
  falseAlarm: 0,
  fileSystem: "",
  options: {},
};
const settings = { compareDays: 30, guard, checks: [check] };
const nowMs = startMs + 2 * dayMs;

async function newHistory(runs: readonly RunRecord[]): Promise<History> {
  const url = `sqlite:${join(await tempDir(), "t.db")}`;
  const store = await openStore({ url, clock: new VirtualClock() });
  onTestFinished(() => store.close());
  const history = openHistory(store);
  await addTo(history, runs);
  return history;
}

async function addTo(history: History, runs: readonly RunRecord[]): Promise<void> {
  await history.recordRuns(
    runs.flatMap(({ intent, result, verdict }) => {
      if (result === undefined) return [];
      const { origin, ...rest } = result;
      return [{ intent, result: rest, origin, ...(verdict === undefined ? {} : { verdict }) }];
    }),
  );
}

/** One step of a loop: what is new is judged and recorded. */
async function step(judge: RunJudge, history: History, atMs = nowMs) {
  const newRuns = await history.unjudgedRuns("prod", 100);
  const judged = await judge.judge({ newRuns, nowMs: atMs });
  await history.recordVerdicts(judged.verdicts);
  return judged;
}

describe("a judge over the history", () => {
  it("gives every run with a result a verdict, once", async () => {
    const history = await newHistory(fleet(12));
    const judge = createRunJudge({ history, cluster: "prod", settings });
    expect((await step(judge, history)).verdicts).toHaveLength(12);
    expect((await step(judge, history)).verdicts).toEqual([]);
    expect(await history.unjudgedRuns("prod", 100)).toEqual([]);
    expect([...(judge.states() ?? [])]).toHaveLength(12);
    judge.forget();
    expect(judge.states()).toBeUndefined();
  });

  it("revises what it thought of an earlier run, also in another process", async () => {
    const history = await newHistory(fleet(12, { verdict: {} }));
    const first = run({ node: "n4", atMs: nowMs, level: 85 });
    await addTo(history, [first]);
    const before = await step(createRunJudge({ history, cluster: "prod", settings }), history);
    expect(before.verdicts).toMatchObject([{ runId: first.intent.id, verdict: "suspect" }]);
    expect(before.wanted).toMatchObject([{ node: "n4" }]);

    const again = createRunJudge({ history, cluster: "prod", settings });
    expect((await step(again, history)).wanted).toMatchObject([{ node: "n4" }]);
    await addTo(history, [run({ node: "n4", atMs: nowMs + hourMs, level: 85 })]);
    const after = await step(again, history, nowMs + hourMs);
    expect(after.verdicts.map(({ verdict }) => verdict)).toEqual(["fail", "fail"]);
    expect(after.wanted).toEqual([]);
    const stored = await history.runs({ node: "n4" });
    expect(stored.map(({ verdict }) => verdict?.verdict)).toEqual(["fail", "fail", "pass"]);
  });

  it("notices that its verdicts were not recorded, and reads everything anew", async () => {
    const history = await newHistory(fleet(12, { verdict: {} }));
    const judge = createRunJudge({ history, cluster: "prod", settings });
    await addTo(history, [run({ node: "n4", atMs: nowMs, level: 85 })]);
    await step(judge, history);
    await addTo(history, [run({ node: "n4", atMs: nowMs + hourMs, level: 85 })]);
    const newRuns = await history.unjudgedRuns("prod", 100);
    const lost = await judge.judge({ newRuns, nowMs: nowMs + hourMs });
    const again = await step(judge, history, nowMs + hourMs);
    expect(again.verdicts).toEqual(lost.verdicts);
    expect(again.verdicts).toHaveLength(2);
  });

  it("judges runs of a check that is not configured any more, and of no other cluster", async () => {
    const history = await newHistory([
      run({ node: "n1", check: "gone-test" }),
      run({ node: "n1", cluster: "lab" }),
    ]);
    const { verdicts } = await step(
      createRunJudge({ history, cluster: "prod", settings }),
      history,
    );
    expect(verdicts).toMatchObject([{ verdict: "unknown" }]);
    expect(await history.unjudgedRuns("lab", 10)).toHaveLength(1);
  });
});
