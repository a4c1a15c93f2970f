import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeRun, judge, summarizeRuns } from "../../../src/chaos/judge/index.ts";
import { clopperPearson } from "../../../src/chaos/judge/stats/index.ts";
import { type RecoveryPhase, recoveryPhases } from "../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../src/chaos/record/index.ts";
import { madeUpPlan, secondUs } from "./lib/made-up-plan.ts";
import { cleanRun, killed, recordOf, Script } from "./lib/made-up-run.ts";

const plan = madeUpPlan();

interface Loss {
  /** The last step before it, of 24. */
  readonly after: number;
  readonly detectS: number;
  readonly isolateS: number;
  readonly reformS: number;
  readonly loadS: number;
}

const whole = (min: number, max: number) => fc.integer({ min, max });
const loss: fc.Arbitrary<Loss> = fc.record({
  after: whole(9, 22),
  detectS: whole(1, 40),
  isolateS: whole(0, 9),
  reformS: whole(0, 9),
  loadS: whole(0, 9),
});

/** Saves at 8, 16 and 24 as the baseline has them, and rank 1 lost half a second after a step. */
function runWith({ after, detectS, isolateS, reformS, loadS }: Loss): RunRecord {
  const script = new Script().at(2).generation();
  const train = (from: number, to: number) => {
    for (let step = from; step <= to; step++) {
      script.steps(step, step);
      if (step % 8 === 0) script.save(step, 1);
    }
  };
  train(1, after);
  const effectS = (script.events.at(-1)?.atUs ?? 0) / secondUs + 0.5;
  script.at(effectS + detectS).detect([1]);
  script.at(effectS + detectS + isolateS).add({ kind: "isolate", ranks: [1] });
  script.at(effectS + detectS + isolateS + reformS).generation();
  script.restore(8 * Math.floor(after / 8), loadS);
  train(8 * Math.floor(after / 8) + 1, 24);
  const [injectedUs, effectUs] = [(effectS - 0.25) * secondUs, effectS * secondUs];
  return recordOf(script.finish(), { injections: [{ ...killed, injectedUs, effectUs }] });
}

/** The run as it would be known at a moment. */
function cutAt(record: RunRecord, endUs: number): RunRecord {
  const events = record.events.filter(({ atUs }) => atUs <= endUs);
  return { ...record, events, endUs, end: "cut", stateDigest: null };
}

describe("recovery time", () => {
  it("is the time from the effect to the first step, and phases end in their order", () => {
    fc.assert(
      fc.property(loss, (given) => {
        const { recoveries, metrics } = judge(plan, runWith(given), cleanRun());
        const { detectS, isolateS, reformS, loadS } = given;
        expect(recoveries).toHaveLength(1);
        expect(metrics.recoverySeconds).toBeCloseTo(detectS + isolateS + reformS + loadS + 1, 9);
        expect(metrics.more["detectSeconds"]).toBeCloseTo(detectS, 9);
        const ends = recoveryPhases.map((phase) => recoveries[0]?.endsUs[phase] ?? null);
        const known = ends.filter((end) => end !== null);
        expect(known.toSorted((a, b) => a - b)).toEqual(known);
      }),
    );
  });

  it("is never shorter for being watched less long: what had not ended is censored and kept", () => {
    fc.assert(
      fc.property(loss, whole(0, 1000), (given, permille) => {
        const whole = runWith(given);
        const effectUs = whole.injections[0]?.effectUs ?? 0;
        const endUs = effectUs + Math.round(((whole.endUs - effectUs) * permille) / 1000);
        const seen = judge(plan, cutAt(whole, endUs), cleanRun());
        const all = judge(plan, whole, cleanRun());
        const first = all.recoveries[0]?.endsUs.first ?? 0;
        expect(seen.metrics.recoverySeconds).toBe(
          first <= endUs ? all.metrics.recoverySeconds : null,
        );
        expect(seen.metrics.more["recoveriesCensored"]).toBe(first <= endUs ? 0 : 1);
        const summary = summarizeRuns([{ record: cutAt(whole, endUs), judgement: seen }]);
        expect(summary.recovery).toMatchObject({ n: 1, censored: first <= endUs ? 0 : 1 });
      }),
    );
  });

  it("loses the steps since the checkpoint, and what they cost on all devices", () => {
    fc.assert(
      fc.property(loss, (given) => {
        const { more } = judge(plan, runWith(given), cleanRun()).metrics;
        const lost = given.after % 8;
        expect(more["stepsLostMax"]).toBe(lost);
        expect(more["lostProgressGpuHours"]).toBeCloseTo((lost * 4) / 3600, 9);
      }),
    );
  });
});

describe("throughput", () => {
  it("of a run against itself is the usual one, and against any other shares between 0 and 1", () => {
    const { metrics } = judge(plan, cleanRun(), cleanRun());
    expect(metrics.throughputStability).toBe(metrics.more["throughputStabilityBaseline"]);
    expect(metrics.goodput).toBe(1);
    fc.assert(
      fc.property(loss, (given) => {
        const { throughputStability, goodput, more } = judge(
          plan,
          runWith(given),
          cleanRun(),
        ).metrics;
        for (const share of [throughputStability, goodput, more["dipDepthMax"]]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
        expect(goodput).toBeLessThan(1);
        expect(more["lostUnits"]).toBeGreaterThan(0);
      }),
    );
  });

  it("does not depend on what a unit is", () => {
    fc.assert(
      fc.property(loss, whole(2, 5000), (given, factor) => {
        const scaled = (record: RunRecord): RunRecord => ({
          ...record,
          events: record.events.map((event) =>
            event.kind === "step" ? { ...event, units: event.units * factor } : event,
          ),
        });
        const one = judge(plan, runWith(given), cleanRun()).metrics;
        const other = judge(plan, scaled(runWith(given)), scaled(cleanRun())).metrics;
        expect(other.throughputStability).toBe(one.throughputStability);
        expect(other.goodput).toBeCloseTo(one.goodput ?? -1, 9);
        expect(other.more["lostUnits"]).toBeCloseTo(factor * (one.more["lostUnits"] ?? -1), 3);
      }),
    );
  });

  it("is less stable the longer nobody notices", () => {
    fc.assert(
      fc.property(loss, whole(20, 60), (given, moreS) => {
        const stabilityOf = (record: RunRecord) =>
          judge(plan, record, cleanRun()).metrics.throughputStability ?? -1;
        const later = runWith({ ...given, detectS: given.detectS + moreS });
        expect(stabilityOf(later)).toBeLessThan(stabilityOf(runWith(given)));
      }),
    );
  });

  it("has a usual rate where saves take longer than the steps between them", () => {
    const script = () => {
      const made = new Script().at(2).generation();
      for (let step = 1; step <= 24; step++) {
        made.steps(step, step);
        if (step % 4 === 0) made.save(step, 20);
      }
      return made.finish();
    };
    const { throughput } = analyzeRun(plan, recordOf(script()), recordOf(script()));
    expect(throughput?.usualRate).toBeGreaterThan(0);
    expect(throughput?.baseline.rates.every((rate) => rate > 0)).toBe(true);
  });
});

describe("rollbacks", () => {
  it("have a rate within its exact interval, and fewer successes never raise it", () => {
    fc.assert(
      fc.property(loss, fc.boolean(), (given, isWrong) => {
        const record = runWith(given);
        const events = record.events.map((event) =>
          isWrong && event.kind === "restore" && event.phase === "done"
            ? { ...event, sameAsSaved: false }
            : event,
        );
        const { metrics } = judge(plan, { ...record, events }, cleanRun());
        const rate = isWrong ? 0 : 1;
        expect(metrics.rollbackSuccessRate).toBe(rate);
        const { low, high } = clopperPearson(rate, 1);
        expect(metrics.more).toMatchObject({
          rollbackAttempts: 1,
          rollbackSuccessLow: low,
          rollbackSuccessHigh: high,
        });
      }),
    );
  });
});

describe("phases", () => {
  const endOf = (phase: RecoveryPhase, record: RunRecord) =>
    judge(plan, record, cleanRun()).recoveries[0]?.endsUs[phase];

  it("that a job never came to have no end, however long it was watched", () => {
    fc.assert(
      fc.property(loss, whole(1, 10_000), (given, moreS) => {
        const complete = runWith({ ...given, reformS: given.reformS + 1 });
        const isolateUs = complete.events.find(({ kind }) => kind === "isolate")?.atUs ?? 0;
        const waited = { ...cutAt(complete, isolateUs), endUs: isolateUs + moreS * secondUs };
        expect(endOf("isolate", waited)).toBe(isolateUs);
        expect(endOf("reform", waited)).toBeNull();
        expect(endOf("first", waited)).toBeNull();
      }),
    );
  });
});
