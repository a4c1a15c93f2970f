import { beforeAll, describe, expect, it } from "vitest";
import {
  type CampaignPart,
  type CampaignResult,
  campaignReport,
  campaignResult,
  makeReproducers,
  type Reproducers,
  reproducerText,
} from "../../../src/chaos/campaign/index.ts";
import { parseExperiment, resolveExperiment } from "../../../src/chaos/experiment/index.ts";
import { defects } from "../../../src/chaos/plan/index.ts";
import { timelinePlot } from "../../../src/chaos/report/index.ts";
import { renderHtml, renderJunit } from "../../../src/platform/reporters/index.ts";
import { inline, never, runPart, simTrial } from "./lib/run-part.ts";

const trial = simTrial();
let part: CampaignPart;
let made: Reproducers;
let result: CampaignResult;

beforeAll(async () => {
  part = await runPart([0, 60], [inline(trial)]);
  made = await makeReproducers(part, { workers: [inline(trial)], signal: never });
  result = campaignResult(part, made);
});

describe("a campaign in the simulator", () => {
  it.each(defects)("finds %s and shows it with at most three faults", (defect) => {
    const canary = result.canaries.find((one) => one.defect === defect);
    expect(canary?.found).toBe(true);
    expect(canary?.reproducer?.outcome).toBe("minimised");
    expect(canary?.reproducer?.isMinimal).toBe(true);
    expect(canary?.reproducer?.faults).toBeGreaterThanOrEqual(1);
    expect(canary?.reproducer?.faults).toBeLessThanOrEqual(3);
    expect(canary?.reproducer?.runs).toBeLessThanOrEqual(80);
  });

  it.each(defects)(
    "finds nothing in the smallest plan for %s once the bug is gone",
    async (defect) => {
      const plan = made.canaries.get(defect)?.plan;
      if (plan === undefined) throw new Error(`${defect} was not found`);
      const { judgement } = await trial({ ...plan, defects: [] }, never);
      expect(judgement.outcome).not.toBe("fail");
    },
  );

  it.each(defects)(
    "saves the plan for %s as an experiment that fails the same way",
    async (defect) => {
      const one = made.canaries.get(defect);
      const signature = result.canaries.find((canary) => canary.defect === defect)?.signature;
      if (one === undefined || typeof signature !== "string") throw new Error("it was found");
      const experiment = parseExperiment(reproducerText(one, signature), "small.yaml");
      const { judgement, record } = await trial(resolveExperiment(experiment), never);
      expect(judgement).toMatchObject({ outcome: "fail", signature });
      const before = await trial(one.plan, never);
      expect(record.traceHash).toBe(before.record.traceHash);
    },
  );

  it("passes what nothing was done to, and repeats itself", () => {
    expect(result.counts.clean.pass).toBeGreaterThan(0);
    expect(result.counts.clean).toMatchObject({ fail: 0, inconclusive: 0 });
    expect(result.determinism).toEqual({ checked: 6, differed: [] });
  });

  it("ends cleanly outside its claim", () => {
    expect(result.counts.outside.pass).toBeGreaterThan(0);
    expect(result.counts.outside.fail).toBe(0);
  });

  it("recovers inside its claim far more often than not, and sees most of what it should", () => {
    const { pass, fail, inconclusive } = result.counts.inside;
    expect(pass).toBeGreaterThan(4 * (fail + inconclusive));
    expect(result.coverage.marks["went on with fewer replicas"]).toBeGreaterThan(0);
    expect(result.coverage.marks["a spare took a place"]).toBeGreaterThan(0);
  });

  it("is the same again", async () => {
    const again = await runPart([20, 40], [inline(simTrial())]);
    expect(again.runs).toEqual(part.runs.slice(20, 40));
    expect(again.canaries).toEqual(part.canaries);
  });
});

describe("the report of a campaign", () => {
  it("has plots, every planted bug and the streak, as HTML and JUnit", async () => {
    const [first] = result.canaries;
    const plan = made.canaries.get(first?.defect ?? "lostUndo")?.plan;
    if (plan === undefined) throw new Error("it was found");
    const timeline = timelinePlot(await trial(plan, never));
    const report = campaignReport(result, part, {
      startedAtMs: 0,
      durationMs: 1,
      timelines: [timeline],
      notes: [],
    });
    const html = renderHtml(report);
    for (const defect of defects) expect(html).toContain(defect);
    expect(html).toContain(timeline.title);
    expect(html).toContain("Goodput of runs that recovered");
    expect(renderJunit(report)).toContain("recoveries in a row");
  });
});
