import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { randn } from "../../../../src/runtime/tensor/index.ts";
import { inverseNormal } from "../../../../src/runtime/tensor/random/inverse-normal.ts";
import {
  type Calibration,
  createCalibration,
  createCalibrations,
  type Profile,
  profileOf,
  quantileOf,
  shiftOf,
} from "../../../../src/runtime/verify/calibration/index.ts";

const usual: Profile = { spread: 1.6, balance: 0, zeros: 0, count: 4096 };
const other: Profile = { spread: 2.9, balance: 0, zeros: 0, count: 4096 };
const worst = 1000;

function judge(calibration: Calibration, ratio: number, profile = usual) {
  return calibration.judge({ ratio, worst, profiles: [profile], lines: 1024 });
}

function ready(ratios: readonly number[] = [1, 1, 1, 1], options = {}): Calibration {
  const calibration = createCalibration({ learnChecks: ratios.length, ...options });
  for (const ratio of ratios) judge(calibration, ratio);
  return calibration;
}

describe("a calibration that has not learnt enough", () => {
  it("never calls anything clean", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.double({ min: 0, max: worst, noNaN: true }), { maxLength: 19 }),
        (learnChecks, ratios) => {
          const calibration = createCalibration({ learnChecks });
          for (const ratio of ratios.slice(0, learnChecks)) {
            expect(judge(calibration, ratio).verdict).toBe("inconclusive");
          }
        },
      ),
    );
  });

  it.each([worst * 1.01, Number.POSITIVE_INFINITY, Number.NaN])(
    "but calls %s corrupt, which no rounding leaves",
    (ratio) => {
      expect(judge(createCalibration(), ratio)).toMatchObject({
        verdict: "corrupt",
        kappa: undefined,
      });
    },
  );

  it("waits for as many sums as tell what rounding leaves, however many checks these take", () => {
    const stream = createRng(1).stream("ratios");
    const few = createCalibration();
    const ofOne = (learning: Calibration) => {
      const ratio = Math.abs(inverseNormal((stream.uint32() + 0.5) * 2 ** -32));
      return learning.judge({ ratio, worst, profiles: [usual], lines: 1 }).verdict;
    };
    const verdicts = Array.from({ length: 3000 }, () => ofOne(few));
    expect(new Set(verdicts.slice(0, 1024))).toEqual(new Set(["inconclusive"]));
    expect(new Set(verdicts.slice(1024))).toEqual(new Set(["clean"]));
    // Its twin: the largest of eight sums is soon exceeded twofold.
    const hasty = Array.from({ length: 100 }, () => createCalibration({ learnLines: 8 }));
    const alarms = hasty.flatMap((one) => Array.from({ length: 20 }, () => ofOne(one)));
    expect(alarms).toContain("corrupt");
  });

  it("learns nothing from checks that could compare nothing", () => {
    const calibration = createCalibration({ learnChecks: 2 });
    const empty = { ratio: 0, worst, profiles: [usual], lines: 0 };
    for (let at = 0; at < 9; at++) {
      expect(calibration.judge(empty).verdict).toBe("inconclusive");
    }
    expect(calibration).toMatchObject({ state: "learning", checks: 0 });
  });

  it("goes on learning when a spike is among what it learnt from, and does not learn from that", () => {
    const calibration = ready([1, 1, 500, 1]);
    expect(calibration.state).toBe("learning");
    judge(calibration, 1);
    expect(calibration).toMatchObject({ state: "ready", kappa: 2 });
  });
});

describe("a calibration that is ready", () => {
  it("has twice the largest clean error as threshold", () => {
    const calibration = ready([1, 3, 2, 2]);
    expect(calibration).toMatchObject({ state: "ready", kappa: 6 });
    expect(judge(calibration, 2).verdict).toBe("clean");
    expect(judge(calibration, 6.1)).toMatchObject({ verdict: "corrupt", kappa: 6 });
    expect(calibration.kappa).toBe(6);
  });

  it("rises with a clean error above all before, and sinks again later", () => {
    const calibration = ready([1, 1, 1, 1], { window: 4, halfLifeChecks: 4 });
    expect(judge(calibration, 1.9).verdict).toBe("clean");
    expect(calibration.kappa).toBeCloseTo(3.8);
    for (let at = 0; at < 8; at++) judge(calibration, 1);
    const after = calibration.kappa ?? 0;
    expect(after).toBeLessThan(3);
    for (let at = 0; at < 60; at++) judge(calibration, 1);
    expect(calibration.kappa).toBeCloseTo(2, 2);
  });

  it("rises when a verifier accepts what it called corrupt", () => {
    const calibration = ready();
    expect(judge(calibration, 3).verdict).toBe("corrupt");
    calibration.accept(3);
    expect(judge(calibration, 3).verdict).toBe("clean");
  });

  it("does not follow errors that grow step by step without end", () => {
    const calibration = ready([1, 1, 1, 1], { growthMax: 4 });
    const verdicts: string[] = [];
    for (let ratio = 1; ratio < 100; ratio *= 1.5) verdicts.push(judge(calibration, ratio).verdict);
    expect(verdicts).toContain("inconclusive");
    expect(verdicts.indexOf("inconclusive")).toBeLessThan(6);
    // It says so, and learns anew; it does not go on as if nothing had happened.
    const unsure = verdicts.filter((verdict) => verdict === "inconclusive").length;
    expect(unsure).toBeGreaterThanOrEqual(5);
  });

  it("takes a quantile in place of the maximum where it is asked to", () => {
    const calibration = ready([1, 1, 1, 1, 1, 1, 1, 1, 1, 4], { quantile: 0.9 });
    expect(calibration.kappa).toBe(2);
  });
});

describe("other numbers than it learnt from", () => {
  it("are those whose sums are rounded after all were exact", () => {
    const calibration = ready([0, 0, 0, 0]);
    expect(judge(calibration, 0).verdict).toBe("clean");
    expect(judge(calibration, 0.1)).toMatchObject({ verdict: "inconclusive" });
    expect(judge(ready([0, 0, 0, 0]), worst * 2).verdict).toBe("corrupt");
  });

  it("are those of which one is far above the rest, and not such as were learnt from", () => {
    const ofPeak = (calibration: Calibration, ratio: number, peak: number) =>
      calibration.judge({ ratio, worst, profiles: [usual], lines: 1024, peak }).verdict;
    const calibration = createCalibration({ learnChecks: 4 });
    for (let at = 0; at < 4; at++) ofPeak(calibration, 1, 0.01);
    expect(ofPeak(calibration, 5, 0.5)).toBe("inconclusive");
    expect(ofPeak(calibration, 5, 0.01)).toBe("corrupt");
    expect(ofPeak(calibration, 1, 0.5)).toBe("clean");
  });

  it("make it inconclusive until it has learnt anew", () => {
    const calibration = ready();
    expect(judge(calibration, 1, other)).toMatchObject({ verdict: "inconclusive" });
    expect(calibration.state).toBe("shifted");
    for (let at = 0; at < 2; at++)
      expect(judge(calibration, 40, other).verdict).toBe("inconclusive");
    expect(judge(calibration, 40, other).reason).toContain("anew");
    expect(calibration.state).toBe("ready");
    expect(judge(calibration, 40, other).verdict).toBe("clean");
  });

  it("of another scale only are no others", () => {
    const values = randn([64, 64], { seed: 1 }).toRaw() as Float32Array;
    const large = values.map((value) => 4096 * value);
    expect(shiftOf(profileOf(large), profileOf(values))).toBeUndefined();
  });

  it.each<[string, (value: number) => number]>([
    ["magnitudes", Math.abs],
    ["powers", (value) => Math.exp(2 * value)],
    ["zeros", (value) => (value < 0 ? 0 : value)],
  ])("are seen: %s", (_, change) => {
    const values = randn([128, 128], { seed: 1 }).toRaw() as Float32Array;
    const fresh = randn([128, 128], { seed: 2 }).toRaw() as Float32Array;
    expect(shiftOf(profileOf(fresh), profileOf(values))).toBeUndefined();
    expect(shiftOf(profileOf(values.map(change)), profileOf(values))).toBeTypeOf("string");
  });

  it("of nothing, or of nothing finite, have a profile too", () => {
    expect(profileOf(new Float32Array(0))).toEqual({ spread: 0, balance: 0, zeros: 0, count: 0 });
    expect(profileOf(Float32Array.of(Number.NaN, 0))).toEqual({
      spread: 0,
      balance: 0,
      zeros: 0.5,
      count: 2,
    });
  });
});

describe("calibrations of many operators", () => {
  it("are kept apart by name", () => {
    const all = createCalibrations({ learnChecks: 1 });
    judge(all.of("one"), 1);
    expect(all.of("one").state).toBe("ready");
    expect(all.of("two").state).toBe("learning");
    expect(all.size).toBe(2);
  });
});

describe("quantileOf", () => {
  it("is a value that so many do not exceed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true }), { minLength: 1 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (values, share) => {
          const found = quantileOf(values, share);
          expect(values).toContain(found);
          const below = values.filter((value) => value <= found).length;
          expect(below).toBeGreaterThanOrEqual(share * values.length - 1e-9);
        },
      ),
    );
  });
});
