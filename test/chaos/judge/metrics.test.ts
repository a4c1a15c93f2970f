import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyzeRun,
  judge,
  metricNames,
  metricOf,
  unusableFor,
} from "../../../src/chaos/judge/index.ts";
import {
  allocatorFragmentation,
  externalFragmentation,
  memorySlack,
} from "../../../src/chaos/judge/metrics/fragmentation.ts";
import { type MemorySample } from "../../../src/chaos/record/index.ts";
import { madeUpPlan, secondUs } from "./lib/made-up-plan.ts";
import { cleanRun, killed, killedRun, killedScript, recordOf, Script } from "./lib/made-up-run.ts";

const plan = madeUpPlan();

function metricsOf(
  record = killedRun(),
  baseline: ReturnType<typeof cleanRun> | null = cleanRun(),
) {
  return judge(plan, record, baseline).metrics;
}

describe("rollbacks", () => {
  it("count as successes when all that is known of them is right", () => {
    const metrics = metricsOf();
    expect(metrics.rollbackSuccessRate).toBe(1);
    expect(metrics.more).toMatchObject({ rollbackAttempts: 1, checkpointsRefused: 0 });
    expect(metrics.more["rollbackSuccessLow"]).toBeCloseTo(0.025, 9);
  });

  const failing = (change: (script: Script) => Script) =>
    analyzeRun(plan, recordOf(change(crashed())), cleanRun()).rollbacks.map(
      ({ failure }) => failure,
    );
  const crashed = () =>
    new Script()
      .at(2)
      .generation()
      .steps(1, 8)
      .save(8)
      .steps(9, 16)
      .save(16)
      .detect([1])
      .at(30)
      .generation();

  it.each([
    ["not-newest", (script: Script) => script.restore(8).steps(9, 10)],
    ["too-late", (script: Script) => script.restore(16, 11).steps(17, 18)],
    ["samples", (script: Script) => script.restore(16).skipSamples(16, 1).steps(17, 18)],
    [
      "diverged",
      (script: Script) => script.restore(16).steps(17, 18, { lossOf: (step) => 2 / step }),
    ],
    [
      "false-accept",
      (script: Script) =>
        script.add({
          kind: "restore",
          phase: "done",
          tag: "step-000016",
          step: 16,
          falseAccept: true,
        }),
    ],
    [
      "not-as-saved",
      (script: Script) =>
        script.add({
          kind: "restore",
          phase: "done",
          tag: "step-000016",
          step: 16,
          sameAsSaved: false,
        }),
    ],
    [
      "failed",
      (script: Script) =>
        script.add({
          kind: "restore",
          phase: "failed",
          tag: "step-000016",
          step: 16,
          reason: "read",
        }),
    ],
    [
      "not-ended",
      (script: Script) =>
        script.add({ kind: "restore", phase: "begun", tag: "step-000016", step: 16 }),
    ],
  ])("fail as %s, and not where that is missing", (failure, change) => {
    expect(failing(change)).toEqual([failure]);
    expect(failing((script) => script.restore(16).steps(17, 18))).toEqual([null]);
  });

  it("pass over a checkpoint that was refused: the older one is then the newest", () => {
    const script = crashed().add({ kind: "restore", phase: "begun", tag: "step-000016", step: 16 });
    script.add({ kind: "restore", phase: "refused", tag: "step-000016", step: 16, reason: "torn" });
    const record = recordOf(script.restore(8).steps(9, 10));
    const [rollback] = analyzeRun(plan, record, cleanRun()).rollbacks;
    expect(rollback).toMatchObject({ failure: null, refused: ["step-000016"], step: 8 });
  });
});

const memory: MemorySample = {
  allocatedBytes: 600,
  reservedBytes: 1000,
  inactiveSplitBytes: 150,
  totalFreeBytes: 400,
  largestFreeBytes: 100,
  retries: 0,
  outOfMemories: 0,
};

describe("memory fragmentation", () => {
  it("is what the formulas say, by hand", () => {
    expect(externalFragmentation(memory)).toBe(0.75);
    expect(allocatorFragmentation(memory)).toBe(0.15);
    expect(memorySlack(memory)).toBe(0.4);
    expect(unusableFor([100, 250, 50], 100)).toBeCloseTo(1 - 300 / 400, 12);
  });

  it("is 0 where nothing is free or reserved", () => {
    const none = { ...memory, totalFreeBytes: 0, largestFreeBytes: 0, reservedBytes: 0 };
    expect(externalFragmentation(none)).toBe(0);
    expect(allocatorFragmentation(none)).toBe(0);
    expect(memorySlack(none)).toBe(0);
    expect(unusableFor([], 100)).toBe(0);
  });

  it("never is less than 0 or more than 1, and grows when a free block is cut in two", () => {
    const blocks = fc.array(fc.integer({ min: 2, max: 1000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(blocks, fc.integer({ min: 1, max: 500 }), (free, request) => {
        const whole = unusableFor(free, request);
        const [first = 2, ...rest] = free;
        const cut = unusableFor([Math.floor(first / 2), Math.ceil(first / 2), ...rest], request);
        expect(whole).toBeGreaterThanOrEqual(-1e-12);
        expect(whole).toBeLessThanOrEqual(1);
        expect(cut).toBeGreaterThanOrEqual(whole - 1e-12);
      }),
    );
  });

  it("has its 95th percentile, trend and growth after a recovery; none of them without a sample", () => {
    const script = killedScript();
    const samples = [0, 1, 2, 25].map((atS, index) => ({
      atUs: atS * secondUs,
      kind: "memory" as const,
      rank: 0,
      memory: { ...memory, reservedBytes: atS === 25 ? 1100 : 1000, retries: index },
    }));
    const events = [...script.finish().events, ...samples].toSorted((a, b) => a.atUs - b.atUs);
    const metrics = metricsOf(killedRun({ events }));
    expect(metrics.memoryFragmentation).toBeCloseTo(0.15, 12);
    expect(metrics.more["reservedGrowthMax"]).toBeCloseTo(0.1, 12);
    expect(metrics.more["allocatorRetries"]).toBe(3);
    expect(metricsOf().memoryFragmentation).toBeNull();
  });
});

describe("metrics by name", () => {
  it("are all in the table, and unknown names are none", () => {
    const metrics = metricsOf();
    for (const name of metricNames) expect(metricOf(metrics, name)).not.toBeUndefined();
    expect(metricOf(metrics, "more")).toBeUndefined();
    expect(metricOf(metrics, "toString")).toBeUndefined();
  });

  it("say how many faults took effect and whether the right rank was blamed", () => {
    expect(metricsOf().more).toMatchObject({ effectRate: 1, attributionRate: 1, falseAlarms: 0 });
    const wrong = killedRun({ injections: [{ ...killed, ranks: [2] }] });
    expect(metricsOf(wrong).more["attributionRate"]).toBe(0);
    const none = killedRun({ injections: [{ ...killed, effectUs: null }] });
    expect(metricsOf(none).more).toMatchObject({ effectRate: 0, falseAlarms: 1 });
  });
});
