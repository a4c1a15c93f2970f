import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeRun, judge } from "../../../src/chaos/judge/index.ts";
import { slidingEttrMin } from "../../../src/chaos/judge/metrics/ettr.ts";
import {
  dipsOf,
  dipWithin,
  retainedFrom,
  stabilityIndex,
  steadyFrom,
} from "../../../src/chaos/judge/metrics/stability.ts";
import { type Throughput } from "../../../src/chaos/judge/metrics/throughput.ts";
import { type TimeSplit } from "../../../src/chaos/judge/time-split.ts";
import { madeUpPlan, secondUs, trainingWorkload } from "./lib/made-up-plan.ts";
import { cleanRun, killedRun, recordOf, Script } from "./lib/made-up-run.ts";

const plan = madeUpPlan();

function metricsOf(
  record = killedRun(),
  baseline: ReturnType<typeof cleanRun> | null = cleanRun(),
) {
  return judge(plan, record, baseline).metrics;
}

describe("the time of a run", () => {
  it("goes to uses that add up to all of it, as a hand counts them", () => {
    const { split } = analyzeRun(plan, killedRun(), cleanRun());
    expect(split.wallUs).toBe(37 * secondUs);
    expect(split.totalsUs).toEqual({
      productive: 24 * secondUs,
      startup: 2 * secondUs,
      save: 3 * secondUs,
      recovery: 5.5 * secondUs,
      wasted: 2.5 * secondUs,
      paused: 0,
      other: 0,
    });
  });

  it("is productive to the same share that ETTR says, and goodput is the ratio of the two times", () => {
    const metrics = metricsOf();
    expect(metrics.ettr).toBeCloseTo(24 / 37, 12);
    expect(metrics.goodput).toBeCloseTo(29 / 37, 12);
  });

  it("stays recovery while a second fault comes before all have loaded", () => {
    const script = new Script().at(0).generation().steps(1, 2).detect([1]).at(4).generation();
    script.at(6).detect([2]).at(8).generation().restore(0, 1).steps(1, 2).finish();
    const { totalsUs } = analyzeRun(plan, recordOf(script), null).split;
    expect(totalsUs).toMatchObject({ recovery: 7 * secondUs, wasted: 2 * secondUs });
  });

  it("does not call a save that runs beside the steps a loss", () => {
    const changed = madeUpPlan({
      workload: trainingWorkload({ checkpoint: { everySteps: 8, keep: 3, asynchronous: true } }),
    });
    const script = new Script().at(1).generation().steps(1, 4);
    script.add({ kind: "save", phase: "begun", tag: "step-000004", step: 4 });
    script.steps(5, 5).add({ kind: "save", phase: "committed", tag: "step-000004", step: 4 });
    const record = recordOf(script.finish(), { plan: changed });
    const { totalsUs } = analyzeRun(changed, record, null).split;
    expect(totalsUs).toMatchObject({ productive: 5 * secondUs, save: 0, startup: secondUs });
  });

  it("is that of the save too when word of its step comes after the save has begun", () => {
    const script = new Script().at(1).generation().steps(1, 3).at(5);
    script.add({ kind: "save", phase: "begun", tag: "step-000004", step: 4 });
    script.add({ kind: "step", generation: 1, step: 4, units: 1 }).at(7);
    script.add({ kind: "save", phase: "committed", tag: "step-000004", step: 4 });
    const { totalsUs } = analyzeRun(plan, recordOf(script.steps(5, 5).finish()), null).split;
    expect(totalsUs).toMatchObject({ productive: 5 * secondUs, save: 2 * secondUs });
  });

  it("counts waiting for a person apart from recovery", () => {
    const script = new Script()
      .at(0)
      .generation()
      .steps(1, 2)
      .detect([1])
      .at(3)
      .add({ kind: "pause", reason: "a rank was lost" })
      .at(13)
      .add({ kind: "resume", reason: "a person said so" })
      .at(14)
      .generation()
      .restore(0)
      .steps(1, 2)
      .finish();
    const { totalsUs } = analyzeRun(plan, recordOf(script), null).split;
    expect(totalsUs).toMatchObject({
      paused: 10 * secondUs,
      recovery: 2 * secondUs,
      wasted: 2 * secondUs,
      productive: 2 * secondUs,
    });
  });

  it("leaves a job that gave up no more than its newest checkpoint", () => {
    const script = new Script().at(0).generation().steps(1, 8).save(8).steps(9, 10).detect([1]);
    const record = recordOf(script.giveUp("failFast: rank 1 was lost"));
    const { lineage } = analyzeRun(plan, record, null);
    expect(lineage.survivors.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(lineage.dropped.map(({ step }) => step)).toEqual([10, 9]);
  });

  it("always adds up, and no step that stayed is counted twice, whatever happens in it", () => {
    const action = fc.oneof(
      fc.record({ kind: fc.constant("steps" as const), count: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ kind: fc.constant("save" as const), tookS: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ kind: fc.constant("loss" as const), backBy: fc.integer({ min: 0, max: 6 }) }),
      fc.record({ kind: fc.constant("word" as const) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), fc.boolean(), (actions, finishes) => {
        const script = new Script().at(1).generation();
        let step = 0;
        let atS = 1;
        const now = () => (script.events.at(-1)?.atUs ?? 0) / secondUs;
        for (const one of actions) {
          if (one.kind === "steps") script.steps(step + 1, (step += one.count));
          else if (one.kind === "save") script.save(step, one.tookS);
          else if (one.kind === "word") script.at(now() + 1).detect([0]);
          else {
            step = Math.max(0, step - one.backBy);
            script
              .at(now() + 1)
              .detect([0])
              .at(now() + 1)
              .generation()
              .restore(step, 1);
          }
          atS = now();
        }
        const record = recordOf(finishes ? script.at(atS + 1).finish() : script.at(atS + 1));
        const { split, lineage } = analyzeRun(
          plan,
          { ...record, endUs: (atS + 2) * secondUs },
          null,
        );
        const total = Object.values(split.totalsUs).reduce((sum, us) => sum + us, 0);
        expect(total).toBe(split.wallUs);
        let last = 0;
        for (const { fromUs, toUs } of split.spans.toSorted((a, b) => a.fromUs - b.fromUs)) {
          expect(fromUs).toBe(last);
          expect(toUs).toBeGreaterThan(fromUs);
          last = toUs;
        }
        expect(lineage.survivors.map((one) => one.step)).toEqual(
          Array.from({ length: step }, (_, index) => index + 1),
        );
        expect(lineage.survivors.length + lineage.dropped.length).toBe(
          record.events.filter(({ kind }) => kind === "step").length,
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe("the worst window of effective time", () => {
  it("is never better than any window that is tried", () => {
    const spans = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean()), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 30 }), (lengths, windowUs) => {
        const split = splitOf(lengths);
        const found = slidingEttrMin(split, windowUs);
        if (split.wallUs < windowUs) {
          expect(found).toBeNull();
          return;
        }
        const tried: number[] = [];
        for (let from = 0; from + windowUs <= split.wallUs; from += 0.5) {
          tried.push(productiveIn(split, from, from + windowUs) / windowUs);
        }
        expect(found).toBeCloseTo(Math.min(...tried), 9);
      }),
    );
  });
});

function splitOf(lengths: readonly (readonly [number, boolean])[]): TimeSplit {
  const spans: TimeSplit["spans"][number][] = [];
  let atUs = 0;
  for (const [length, isProductive] of lengths) {
    const use = isProductive ? "productive" : "recovery";
    spans.push({ fromUs: atUs, toUs: (atUs += length), use });
  }
  const totalsUs = {
    productive: 0,
    startup: 0,
    save: 0,
    recovery: 0,
    wasted: 0,
    paused: 0,
    other: 0,
  };
  return { spans, totalsUs, wallUs: atUs, stepsUs: [] };
}

function productiveIn({ spans }: TimeSplit, from: number, to: number): number {
  return spans
    .filter(({ use }) => use === "productive")
    .reduce(
      (sum, { fromUs, toUs }) => sum + Math.max(0, Math.min(to, toUs) - Math.max(from, fromUs)),
      0,
    );
}

/** Windows of a second around a usual rate of 100. */
function rates(...run: number[]): Throughput {
  const windows = (list: readonly number[]) => ({ fromUs: 0, windowUs: secondUs, rates: list });
  return { run: windows(run), baseline: windows([100, 100]), usualRate: 100 };
}

describe("throughput", () => {
  it("is stable in the windows with at least 95 % of the usual rate", () => {
    const { run } = rates(100, 95, 94.9, 0, 120);
    expect(stabilityIndex(run, 100)).toBe(0.6);
    expect(stabilityIndex({ ...run, rates: [] }, 100)).toBeNull();
  });

  it("dips from the first bad window to the last before three good ones", () => {
    const dip = dipWithin(rates(100, 50, 0, 100, 100, 60, 100, 100, 100, 10), {
      fromUs: secondUs,
      toUs: 10 * secondUs,
    });
    expect(dip).toMatchObject({ depth: 1, durationUs: 5 * secondUs, isOver: true });
    expect(dip?.lostUnits).toBeCloseTo(50 + 100 + 40, 9);
    expect(dip?.lostUs).toBeCloseTo(1.9 * secondUs, 3);
  });

  it("tells of every dip once, one after the other, and of no more than asked for", () => {
    const throughput = rates(100, 50, 100, 100, 100, 100, 20, 10, 100, 100, 100, 90);
    const found = dipsOf(throughput, 10).map(({ fromUs, durationUs }) => [fromUs, durationUs]);
    expect(found).toEqual([
      [secondUs, secondUs],
      [6 * secondUs, 2 * secondUs],
      [11 * secondUs, secondUs],
    ]);
    expect(dipsOf(throughput, 1)).toHaveLength(1);
    expect(dipsOf(rates(100, 100, 100), 10)).toEqual([]);
  });

  it("has no dip where all windows are good, and one without end where they stay bad", () => {
    const stretch = { fromUs: 0, toUs: 5 * secondUs };
    expect(dipWithin(rates(100, 96, 100), stretch)).toBeNull();
    expect(dipWithin(rates(100, 90, 90), stretch)?.isOver).toBe(false);
  });

  it("is steady again from the first of three good windows", () => {
    expect(steadyFrom(rates(100, 0, 100, 0, 100, 100, 100), secondUs)).toBe(4 * secondUs);
    expect(steadyFrom(rates(100, 0, 100, 100), secondUs)).toBeNull();
    expect(steadyFrom(rates(100, 100, 100, 100), 0.5 * secondUs)).toBe(0.5 * secondUs);
  });

  it("retains the units made over those usual", () => {
    expect(retainedFrom(rates(100, 50, 100), secondUs)).toBe(0.75);
    expect(retainedFrom(rates(100), 5 * secondUs)).toBeNull();
  });

  it("spreads a step over its time: all units of what stayed are in the windows", () => {
    const { throughput } = analyzeRun(plan, killedRun(), cleanRun());
    const { run } = throughput ?? rates();
    const units = run.rates.reduce((sum, rate) => sum + (rate * run.windowUs) / 1e6, 0);
    const covered = (run.rates.length * run.windowUs) / (34 * secondUs);
    expect(covered).toBeGreaterThan(0.9);
    expect(units).toBeLessThanOrEqual(24 * 8 + 1e-6);
    expect(units).toBeGreaterThan(24 * 8 * 0.9);
  });

  it("makes nothing after a job gave up, until its baseline would have been done", () => {
    const script = new Script().at(2).generation().steps(1, 8).save(8, 1).detect([1]);
    const record = recordOf(script.giveUp("failFast: rank 1 was lost"));
    const { throughput } = analyzeRun(plan, record, cleanRun());
    expect(throughput?.run.rates.at(-1)).toBe(0);
    expect(throughput?.run.rates.length).toBe(throughput?.baseline.rates.length);
    expect(metricsOf(record).goodput).toBeCloseTo(8 / 24, 9);
  });

  it("is not measured without a run without faults", () => {
    const metrics = metricsOf(killedRun(), null);
    expect(metrics.throughputStability).toBeNull();
    expect(metrics.goodput).toBeNull();
    expect(metrics.ettr).toBeCloseTo(24 / 37, 12);
  });
});
