import { describe, expect, it } from "vitest";
import { learnBaselines } from "../../../src/validation/baselines/index.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import { dayMs, fleet, hourMs, run, startMs } from "../judge/records.ts";

const nowMs = startMs + 5 * dayMs;

function learn(runs: readonly RunRecord[]) {
  return learnBaselines(runs, { nowMs, code: "1.2.3" });
}

const twoRuns = [
  ...fleet(10, { verdict: {} }),
  ...fleet(10, { verdict: {}, atMs: startMs + dayMs, level: 101 }),
];

describe("what a baseline is learned from", () => {
  it("the healthy runs of at least eight nodes, each node by its middle", () => {
    const { candidates, unlearned } = learn(twoRuns);
    expect(unlearned).toEqual([]);
    expect(candidates).toHaveLength(1);
    const [candidate] = candidates;
    expect(candidate).toMatchObject({
      sku: "gpu-x",
      check: "speed-test",
      cohort: "",
      madeAtMs: nowMs,
    });
    expect(candidate?.expiresAtMs).toBe(nowMs + 90 * dayMs);
    const figure = candidate?.figures["speed"];
    expect(figure).toMatchObject({ higherIsBetter: true, unit: "GB/s", nodes: 10, runs: 20 });
    expect(figure?.median).toBeCloseTo(100.5, 0);
    expect(figure?.sigma).toBeLessThan(1);
    expect(figure?.runSigma).toBeGreaterThan(0.2);
    expect(figure?.tail).toBeLessThan(figure?.median ?? 0);
    expect(candidate?.provenance).toMatchObject({
      cluster: "prod",
      provenance: "simulated",
      code: "1.2.3",
      runs: 20,
      nodes: 10,
      excludedNodes: 0,
    });
  });

  it("the same runs give the same id, others another", () => {
    const [first] = learn(twoRuns).candidates;
    expect(learn(twoRuns.toReversed()).candidates[0]?.id).toBe(first?.id);
    expect(learn(twoRuns.slice(1)).candidates[0]?.id).not.toBe(first?.id);
  });

  it("not the last day", () => {
    const today = fleet(10, { verdict: {}, atMs: nowMs - 20 * hourMs, level: 50 });
    const [candidate] = learn([...twoRuns, ...today]).candidates;
    expect(candidate?.figures["speed"]?.runs).toBe(20);
    const { unlearned } = learn(today);
    expect(unlearned).toMatchObject([{ check: "speed-test", cluster: "prod" }]);
    expect(unlearned[0]?.reason).toContain("0 healthy nodes before the last 24 hours");
  });

  it("not nodes that failed in the window, whatever the check, and they are named", () => {
    const failed = run({ node: "n3", check: "other-test", verdict: { verdict: "fail" } });
    const [candidate] = learn([...twoRuns, failed]).candidates;
    expect(candidate?.figures["speed"]?.nodes).toBe(9);
    expect(candidate?.provenance["excluded"]).toEqual([
      { node: "n3", why: `failed other-test at ${new Date(startMs).toISOString()}` },
    ]);
  });

  it("not runs of incidents, nor what is suspect, unknown or not judged", () => {
    const finding = { metric: "*", rule: "incident", value: 9, bound: 5, cohort: "" } as const;
    const odd = [
      ...fleet(10, { level: 50, verdict: { verdict: "warn", findings: [finding] } }),
      ...fleet(10, { level: 50, verdict: { verdict: "suspect" } }),
      ...fleet(10, { level: 50, verdict: { verdict: "unknown" } }),
      ...fleet(10, { level: 50 }),
      ...fleet(10, { level: 50, result: { outcome: "error" }, verdict: { verdict: "pass" } }),
    ];
    expect(learn([...twoRuns, ...odd]).candidates[0]?.figures["speed"]?.runs).toBe(20);
  });

  it("but runs that drifted from an older baseline, so that a person can accept them", () => {
    const rules = ["baseline", "incident"] as const;
    const findings = rules.map((rule) => ({
      metric: "speed",
      rule,
      value: 1,
      bound: 2,
      cohort: "",
    }));
    const drifted = fleet(10, { level: 95, verdict: { verdict: "warn", findings } });
    expect(learn(drifted).candidates[0]?.figures["speed"]?.median).toBeCloseTo(95, 0);
  });

  it("nothing from seven nodes", () => {
    const { candidates, unlearned } = learn(fleet(7, { verdict: {} }));
    expect(candidates).toEqual([]);
    expect(unlearned[0]?.reason).toContain("7 healthy nodes");
  });

  it("one for each cluster, SKU and cohort", () => {
    const runs = [
      ...twoRuns,
      ...fleet(8, { verdict: {}, cluster: "lab" }),
      ...fleet(8, { verdict: {}, sku: "gpu-y" }),
      ...fleet(8, { verdict: {}, result: { cohort: "fw-2", figures: {} } }),
    ];
    const { candidates, unlearned } = learn(runs);
    expect(candidates).toHaveLength(3);
    expect(new Set(candidates.map(({ id }) => id)).size).toBe(3);
    expect(unlearned).toMatchObject([{ cohort: "fw-2" }]);
  });
});
