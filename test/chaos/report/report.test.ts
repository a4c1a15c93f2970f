import { describe, expect, it } from "vitest";
import { judge, summarizeRuns } from "../../../src/chaos/judge/index.ts";
import type { RunRecord } from "../../../src/chaos/record/index.ts";
import {
  experimentReport,
  experimentSummary,
  manyRunsPlots,
  timelinePlot,
} from "../../../src/chaos/report/index.ts";
import { renderPlot } from "../../../src/platform/plots/index.ts";
import { renderHtml, renderJunit, verdictOf } from "../../../src/platform/reporters/index.ts";
import { expectInsideViewBox } from "../../platform/plots/svg-facts.ts";
import { madeUpPlan } from "../judge/lib/made-up-plan.ts";
import { cleanRun, killed, killedRun, recordOf, Script } from "../judge/lib/made-up-run.ts";

function reported(record: RunRecord = killedRun(), baseline: RunRecord | null = cleanRun()) {
  const plan = madeUpPlan();
  return { plan, record, baseline, judgement: judge(plan, record, baseline) };
}

const timing = { startedAtMs: 1_700_000_000_000, durationMs: 800 };

const gaveUp = () =>
  recordOf(
    new Script().at(2).generation().steps(1, 10).at(15).detect([1]).giveUp("no spare is left"),
    {
      injections: [killed],
    },
  );

describe("the report of a run", () => {
  it("has the verdict of the judgement", () => {
    expect(verdictOf(experimentReport(reported(), timing))).toBe("pass");
    expect(verdictOf(experimentReport(reported(gaveUp()), timing))).toBe("fail");
    const idle = { ...cleanRun(), plan: madeUpPlan(), injections: [{ ...killed, effectUs: null }] };
    expect(verdictOf(experimentReport(reported(idle), timing))).toBe("unknown");
  });

  it("has one test case for each property, what went wrong first", () => {
    const run = reported(gaveUp());
    const junit = renderJunit(experimentReport(run, timing));
    expect(junit.match(/<testcase/g)).toHaveLength(run.judgement.findings.length);
    expect(junit).toMatch(/<testcase name="recovered"[^>]*><failure message="The job gave up/);
    expect(junit.indexOf('name="recovered"')).toBeLessThan(junit.indexOf('name="residual-faults"'));
  });

  it("labels every figure with where it comes from", () => {
    for (const provenance of ["simulated", "measured"] as const) {
      const report = experimentReport(reported(killedRun({ provenance })), timing);
      const facts = report.sections.flatMap(({ items }) => items.flatMap((item) => item.facts));
      expect(facts.length).toBeGreaterThan(20);
      expect(new Set(facts.map((fact) => fact.provenance))).toEqual(new Set([provenance]));
      expect(new Set(report.plots.map((plot) => plot.provenance))).toEqual(new Set([provenance]));
    }
  });

  it("is one HTML page with the time line inside", () => {
    const html = renderHtml(experimentReport(reported(), timing));
    expect(html).toContain("what happened when");
    expect(html).toContain("Recovered from kill_device on rank 1");
    expect(html).not.toContain("undefined");
  });
});

describe("the time line", () => {
  it("has lanes for the fault, the recovery, generations and checkpoints, and both curves", () => {
    const plot = timelinePlot(reported());
    expect(plot.lanes.map(({ name }) => name)).toEqual([
      "kill_device · rank 1",
      "recovery",
      "generations",
      "checkpoints",
    ]);
    const [fault, recovery, generations] = plot.lanes;
    expect(fault?.spans).toMatchObject([{ from: 13, to: null, label: "to the end" }]);
    const undone = timelinePlot(
      reported(killedRun({ injections: [{ ...killed, revertedUs: 15e6 }] })),
    );
    expect(undone.lanes[0]?.spans).toMatchObject([{ from: 13, to: 15, label: "for 2 s" }]);
    expect(recovery?.spans.slice(0, 3)).toMatchObject([
      { from: 13.5, to: 15, label: "detect" },
      { from: 15, to: 16, label: "isolate" },
      { from: 16, to: 18, label: "reform" },
    ]);
    expect(generations?.spans.map(({ from, to }) => [from, to])).toEqual([
      [2, 16],
      [18, 37],
    ]);
    expect(plot.curve?.series.map(({ name }) => name)).toEqual(["this run", "no faults"]);
  });

  it("leaves a recovery that never ended open, and has no curve without a baseline", () => {
    const stuck = recordOf(new Script().at(2).generation().steps(1, 10).at(15).detect([1]), {
      injections: [killed],
      endUs: 90e6,
    });
    const plot = timelinePlot(reported(stuck, null));
    const recovery = plot.lanes.find(({ name }) => name === "recovery");
    expect(recovery?.spans.at(-1)).toMatchObject({ to: null, label: "never recovered" });
    expect(plot.curve).toBeUndefined();
    expectInsideViewBox(renderPlot(plot));
  });

  it("shows one recovery no further than to the next", () => {
    const late = { ...killed, id: "f2", ranks: [], injectedUs: 20.2e6, effectUs: 20.5e6 };
    const plot = timelinePlot(reported(killedRun({ injections: [killed, late] })));
    const spans = plot.lanes.find(({ name }) => name === "recovery")?.spans ?? [];
    const regain = spans.find(({ label }) => label === "regain");
    expect(regain?.to).toBe(20.5);
  });

  it("puts very many faults into one lane", () => {
    const injections = Array.from({ length: 40 }, (_, at) => ({ ...killed, id: `f${at}` }));
    const names = timelinePlot(reported(killedRun({ injections }))).lanes.map(({ name }) => name);
    expect(names).toContain("28 more faults");
    expect(names.length).toBeLessThan(20);
  });
});

describe("the summary for a build", () => {
  it("says outcome, reason, faults and figures in Markdown that shows them as they are", () => {
    const text = experimentSummary(reported());
    expect(text).toContain("✅ Kill a GPU in the middle of a job: pass");
    expect(text).toContain("| kill\\_device | rank 1 | 13 s | 13.5 s | – |");
    expect(text).not.toContain("Signature");
  });

  it("names what failed, and the signature to look for", () => {
    const text = experimentSummary(reported(gaveUp()));
    expect(text).toContain("❌");
    expect(text).toContain("- **recovered** (fail)");
    expect(text).toContain("Signature: `recovered |");
  });
});

describe("plots of many runs", () => {
  it("show how they ended and how long recoveries take, censored ones among them", () => {
    const runs = Array.from({ length: 12 }, (_, at) => {
      const script = new Script()
        .at(2)
        .generation()
        .steps(1, 10)
        .at(14)
        .detect([1])
        .at(16 + at);
      const record =
        at === 11
          ? recordOf(script, { injections: [killed], endUs: 80e6 })
          : recordOf(script.generation().restore(0).steps(1, 24).finish(), {
              injections: [killed],
            });
      return { record, judgement: judge(madeUpPlan(), record, cleanRun()) };
    });
    const plots = manyRunsPlots(runs, summarizeRuns(runs));
    expect(plots.map(({ title }) => title)).toContain(
      "Recovery time of 12 recoveries, 1 of them without an end",
    );
    for (const plot of plots) expectInsideViewBox(renderPlot(plot));
  });

  it("show no curve of recoveries where there was none", () => {
    const runs = [
      { record: cleanRun(), judgement: judge({ ...madeUpPlan(), faults: [] }, cleanRun(), null) },
    ];
    expect(manyRunsPlots(runs, summarizeRuns(runs))).toHaveLength(1);
  });
});
