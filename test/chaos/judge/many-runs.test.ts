import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge, judgeGateOverRuns, summarizeRuns } from "../../../src/chaos/judge/index.ts";
import { medianInterval } from "../../../src/chaos/judge/many-runs.ts";
import type { RunRecord } from "../../../src/chaos/record/index.ts";
import { madeUpPlan } from "./lib/made-up-plan.ts";
import { cleanRun, killed, killedRun, recordOf, Script } from "./lib/made-up-run.ts";

function judgedRun(record: RunRecord) {
  return { record, judgement: judge(madeUpPlan(), record, cleanRun()) };
}

function recoveringIn(seconds: number) {
  const script = new Script()
    .at(2)
    .generation()
    .steps(1, 8)
    .save(8)
    .steps(9, 10)
    .at(14)
    .detect([1]);
  script
    .at(13.5 + seconds - 1)
    .generation()
    .restore(8)
    .steps(9, 24)
    .finish();
  return judgedRun(recordOf(script, { injections: [killed] }));
}

describe("many runs together", () => {
  it("have medians, 95th percentiles, counts and outcomes", () => {
    const summary = summarizeRuns([4, 5, 6, 7, 8, 9, 30].map(recoveringIn));
    expect(summary).toMatchObject({
      runs: 7,
      provenance: "simulated",
      outcomes: { pass: 7, fail: 0, inconclusive: 0 },
      rollbacks: { attempts: 7, successes: 7 },
    });
    const recovery = summary.metrics.find(({ name }) => name === "recoverySeconds");
    expect(recovery).toMatchObject({ n: 7, missing: 0, median: 7, interval: { low: 4, high: 30 } });
    expect(summary.recovery).toMatchObject({ n: 7, censored: 0, median: 7 });
  });

  it("keep a recovery that never ended, and its run counts as missing", () => {
    const stuck = recordOf(new Script().at(2).generation().steps(1, 10).at(15).detect([1]), {
      injections: [killed],
      endUs: 500e6,
    });
    const summary = summarizeRuns([recoveringIn(4), recoveringIn(5), judgedRun(stuck)]);
    expect(summary.recovery).toMatchObject({ n: 3, censored: 1, median: 5 });
    expect(summary.outcomes).toMatchObject({ pass: 2, fail: 1 });
    expect(summary.metrics.find(({ name }) => name === "recoverySeconds")).toMatchObject({
      n: 2,
      missing: 1,
    });
  });

  it("are never a mixture of measured and simulated times", () => {
    const measured = judgedRun(killedRun({ provenance: "measured" }));
    expect(() => summarizeRuns([measured, recoveringIn(4)])).toThrow("never added up");
  });

  it("hold a gate when the whole interval does, and leave it open when only a part does", () => {
    const summary = summarizeRuns([4, 5, 6, 7, 8, 9, 10, 11].map(recoveringIn));
    const gate = (bound: number) =>
      judgeGateOverRuns({ metric: "recoverySeconds", operator: "<=", bound }, summary).outcome;
    expect([gate(12), gate(7), gate(3)]).toEqual(["pass", "inconclusive", "fail"]);
    const few = summarizeRuns([recoveringIn(4)]);
    const bound = { metric: "recoverySeconds", operator: "<=", bound: 9 } as const;
    expect(judgeGateOverRuns(bound, few).outcome).toBe("inconclusive");
    expect(judgeGateOverRuns({ ...bound, metric: "outOfMemories" }, summary).outcome).toBe(
      "inconclusive",
    );
  });
});

describe("the interval of a median", () => {
  it("is the published one: 2nd to 9th of ten, 40th to 61st of a hundred", () => {
    const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);
    expect(medianInterval(upTo(10))).toEqual({ low: 2, high: 9 });
    expect(medianInterval(upTo(100))).toEqual({ low: 40, high: 61 });
    expect(medianInterval(upTo(5))).toBeNull();
    expect(medianInterval([])).toBeNull();
  });

  it("is nearly the same by either way of counting", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1001, max: 3000 }), (n) => {
        const found = medianInterval(Array.from({ length: n }, (_, index) => index));
        const reach = 0.98 * Math.sqrt(n);
        expect(Math.abs((found?.low ?? 0) - (n / 2 - reach))).toBeLessThan(3);
        expect(Math.abs((found?.high ?? 0) - (n / 2 + reach))).toBeLessThan(3);
      }),
      { numRuns: 10 },
    );
  });
});
