import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  type CheckpointPlanRequest,
  planCheckpoints,
  plannedPerNodeDay,
  planProblem,
} from "../../../src/runtime/planning/index.ts";

const request: CheckpointPlanRequest = {
  nodes: 2048,
  rate: { perNodeDay: 3.79e-3 },
  writeS: 60,
  restartS: 600,
};
const plan = (changes: Partial<CheckpointPlanRequest> = {}, seed = "1") =>
  planCheckpoints({ ...request, ...changes }, createRng(seed));

const usual = plan();

describe("planCheckpoints", () => {
  test("recommends the exact interval with its ETTR inside its band", () => {
    const { recommended, forms, curve } = usual;
    expect(recommended.computeS / 60).toBeCloseTo(18.6, 1);
    expect(recommended.periodS).toBe(recommended.computeS + 60);
    expect(recommended.ettr).toBeCloseTo(0.8525, 3);
    expect(recommended.ettrBand.low).toBeLessThan(recommended.ettr);
    expect(recommended.ettrBand.high).toBeGreaterThan(recommended.ettr);
    expect(forms.map(({ form }) => form)).toEqual(["young", "daly", "exact", "availability"]);
    for (const { ettr } of [...forms, ...curve]) {
      expect(ettr).toBeLessThanOrEqual(recommended.ettr);
    }
    for (const { ettr, band } of curve)
      expect([band.low <= ettr, ettr <= band.high]).toEqual([true, true]);
  });

  test("counts whole steps and takes the better of two numbers of them", () => {
    const { recommended } = plan({ stepS: 400 });
    // 2.79 steps would be best.
    expect(recommended.steps).toBe(3);
    expect(recommended.computeS).toBe(1200);
    expect(plan({ stepS: 50_000, nodes: 16 }).recommended.steps).toBe(1);
    expect(usual.recommended.steps).toBeUndefined();
  });

  test("a step longer than every good interval is named as what binds", () => {
    expect(plan({ stepS: 4000 }).recommended).toMatchObject({ steps: 1, boundByStep: true });
    expect(plan({ stepS: 1000 }).recommended).toMatchObject({ steps: 1, boundByStep: false });
    expect(usual.recommended.boundByStep).toBe(false);
  });

  test("fewer observations make a wider band, and none at all is not taken for no failures", () => {
    const width = (failures: number, nodeDays: number) => {
      const { ettrBand } = plan({ rate: { failures, nodeDays }, timeUncertainty: 0 }).recommended;
      return ettrBand.high - ettrBand.low;
    };
    expect(width(4, 1055)).toBeGreaterThan(1.5 * width(40, 10_550));
    expect(width(40, 10_550)).toBeGreaterThan(1.5 * width(400, 105_500));
    expect(plannedPerNodeDay({ failures: 0, nodeDays: 100 })).toBe(0.005);
    expect(plannedPerNodeDay({ failures: 10, nodeDays: 100 })).toBe(0.1);
  });

  test("the posterior's band covers what it should", () => {
    // 40 failures seen: the 90 % interval of a gamma of shape 40.5 is 30.6 to 51.5.
    const { ettrBand } = plan({
      rate: { failures: 40, nodeDays: 10_000 },
      timeUncertainty: 0,
    }).recommended;
    const sure = (failures: number) =>
      plan({ rate: { perNodeDay: failures / 10_000, uncertainty: 0 }, timeUncertainty: 0 });
    const interval = plan({ rate: { failures: 40, nodeDays: 10_000 } }).recommended.computeS;
    const at = (failures: number) => {
      const { curve } = sure(failures);
      const nearest = curve.toSorted(
        (a, b) => Math.abs(a.computeS - interval) - Math.abs(b.computeS - interval),
      );
      return nearest[0]?.ettr ?? 0;
    };
    expect(ettrBand.low).toBeCloseTo(at(51.5), 2);
    expect(ettrBand.high).toBeCloseTo(at(30.6), 2);
  });

  test("knowing everything leaves no band", () => {
    const { ettrBand, ettr } = plan({
      rate: { perNodeDay: 3.79e-3, uncertainty: 0 },
      timeUncertainty: 0,
    }).recommended;
    expect(ettrBand).toEqual({ low: ettr, high: ettr });
  });

  test("uncertain times widen the band", () => {
    const width = (timeUncertainty: number) => {
      const { low, high } = plan({ timeUncertainty }).recommended.ettrBand;
      return high - low;
    };
    expect(width(0.8)).toBeGreaterThan(1.2 * width(0));
  });

  test("long unseen corruption keeps more, not longer intervals", () => {
    const day = plan({ unseenS: 86_400 }).recommended;
    expect(day.computeS).toBe(usual.recommended.computeS);
    expect(day.keep).toBe(Math.ceil(86_400 / day.periodS) + 2);
    expect(usual.recommended.keep).toBe(2);
  });

  test("slow background writes set the interval and say so", () => {
    const slow = plan({ blockingS: 1, writeS: 1200 }).recommended;
    expect(slow).toMatchObject({ computeS: 1199, boundByWrites: true });
    expect(plan({ blockingS: 30, writeS: 60 }).recommended.boundByWrites).toBe(false);
    expect(plan({ blockingS: 1, writeS: 1200, stepS: 7 }).recommended.steps).toBe(172);
  });

  test("the same seed gives the same plan, another the same recommendation", () => {
    expect(plan()).toEqual(usual);
    const other = plan({}, "2");
    expect(other).not.toEqual(usual);
    expect(other.recommended.computeS).toBe(usual.recommended.computeS);
  });

  test("memoryless simulated failures agree with the model", () => {
    const { shapes, recommended } = usual;
    const memoryless = shapes.find(({ shape }) => shape === 1);
    expect(Math.abs((memoryless?.ettr ?? 0) - recommended.ettr)).toBeLessThan(
      4 * (memoryless?.standardError ?? 0),
    );
  });
});

describe("what cannot be planned", () => {
  test.each([
    [{ nodes: 0 }, /number of nodes/],
    [{ nodes: 1.5 }, /number of nodes/],
    [{ writeS: 0 }, /time of a write is above 0/],
    [{ writeS: Number.NaN }, /time of a write/],
    [{ blockingS: 0 }, /blocking part of a save is above 0/],
    [{ blockingS: 90 }, /cannot stop the job for 90 s when it is written after 60 s/],
    [{ restartS: -1 }, /time of restart is from 0/],
    [{ restartS: Number.POSITIVE_INFINITY }, /time of restart/],
    [{ stepS: 0 }, /time of a step/],
    [{ detectS: -5 }, /time of detection/],
    [{ rate: { perNodeDay: 0 } }, /per node-day are above 0/],
    [{ rate: { perNodeDay: 1, uncertainty: 9 } }, /uncertainty of the failure rate/],
    [{ rate: { failures: 1.5, nodeDays: 10 } }, /whole number/],
    [{ rate: { failures: 1, nodeDays: 0 } }, /Node-days that were watched/],
    [{ timeUncertainty: -1 }, /uncertainty of write and restart/],
    [{ restartS: 12_000 }, /fails every 11130 s on average and needs 12000 s/],
    [{ restartS: 6000, detectS: 6000 }, /needs 12000 s to come back/],
    [{ writeS: 12_000 }, /a save takes 12000 s/],
  ] as const)("%j is refused", (changes, expected) => {
    expect(planProblem({ ...request, ...changes })).toMatch(expected);
    expect(() => plan(changes)).toThrow(expect.objectContaining({ code: "E_USAGE" }));
  });

  test("what is only unusual is planned", () => {
    expect(planProblem(request)).toBeUndefined();
    expect(planProblem({ ...request, restartS: 0 })).toBeUndefined();
    expect(planProblem({ ...request, restartS: 11_000 })).toBeUndefined();
    expect(planProblem({ ...request, rate: { failures: 0, nodeDays: 4000 } })).toBeUndefined();
  });
});
