import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  curveOf,
  fitScaling,
  kneeOf,
  serialShareOf,
} from "../../../src/runtime/scaling/fits/index.ts";
import { retrogradeOf } from "../../../src/runtime/scaling/fits/retrograde.ts";
import { amdahlOf, doublings, samplesBy, uslOf } from "./samples.ts";

const plain = { rng: createRng(1), resamples: 0 };

describe("speed-up and efficiency", () => {
  test("strong: T(n0) n0 / (T(n) n), from a base above 1", () => {
    const curve = curveOf(
      [
        { devices: 16, timesS: [4], work: 1 },
        { devices: 4, timesS: [10], work: 1 },
      ],
      "strong",
    );
    expect(curve.baseDevices).toBe(4);
    expect(curve.points[1]).toMatchObject({
      devices: 16,
      relativeDevices: 4,
      speedUp: 2.5,
      efficiency: (10 * 4) / (4 * 16),
    });
  });

  test("weak: T(n0)/T(n), which is the throughput form", () => {
    const curve = curveOf(
      [
        { devices: 1, timesS: [10], work: 7 },
        { devices: 8, timesS: [12.5], work: 56 },
      ],
      "weak",
    );
    expect(curve.points[1]?.efficiency).toBeCloseTo(10 / 12.5, 12);
    expect(curve.points[1]?.speedUp).toBeCloseTo(6.4, 12);
  });

  test("several runs count by their median", () => {
    const curve = curveOf([{ devices: 1, timesS: [1, 9, 2], work: 1 }], "strong");
    expect(curve.points[0]).toMatchObject({ timeS: 2, runs: 3 });
  });

  test("a count that stands twice is refused", () => {
    const sample = { devices: 2, timesS: [1], work: 1 };
    expect(() => curveOf([sample, sample], "strong")).toThrow("each count once");
  });
});

describe("Karp and Flatt", () => {
  const read = (capacity: (n: number) => number) => {
    const { karpFlatt } = fitScaling(samplesBy(capacity), "strong", plain).fits;
    if (karpFlatt.status !== "fitted") throw new Error(karpFlatt.reason);
    return karpFlatt;
  };

  test("the share is that of Amdahl's law at every count", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.9, noNaN: true }),
        fc.integer({ min: 2, max: 4096 }),
        (s, n) => {
          expect(serialShareOf(amdahlOf(s)(n), n)).toBeCloseTo(s, 9);
        },
      ),
    );
  });

  test("serial work reads as flat, communication as rising, neither as none", () => {
    expect(read(amdahlOf(0.05))).toMatchObject({ trend: "flat" });
    expect(read(amdahlOf(0.05)).reading).toContain("5 % of serial work");
    expect(read(uslOf(0, 1e-4))).toMatchObject({ trend: "rising" });
    expect(read(uslOf(0, 1e-4)).reading).toContain("communication");
    expect(read((n) => n)).toMatchObject({ trend: "none" });
  });

  test("a cost that is paid once reads as falling", () => {
    expect(read((n) => (n === 1 ? 1 : 0.5 * n))).toMatchObject({ trend: "falling" });
  });

  test("counts at which nothing is lost do not hide the rise of those at which much is", () => {
    const late = read((n) => (n <= 128 ? n * 0.995 : n / (1 + (n / 512) ** 2)));
    expect(late).toMatchObject({ trend: "rising" });
    expect(late.judgedFrom).toBeGreaterThanOrEqual(128);
  });

  test("shares that jump about have no trend, and those with a little noise keep theirs", () => {
    const jumping = samplesBy((n) => n / (1 + (n - 1) * (Math.log2(n) % 2 === 0 ? 0.02 : 1)));
    expect(fitScaling(jumping, "strong", plain).fits.karpFlatt).toMatchObject({
      status: "inconclusive",
      reason: expect.stringContaining("scatters"),
    });
    const little = (n: number) => amdahlOf(0.05)(n) * (Math.log2(n) % 2 === 0 ? 1.01 : 0.99);
    expect(read(little)).toMatchObject({ trend: "flat" });
  });

  test("what is faster than ideal is not called a small loss", () => {
    expect(read((n) => n ** 1.1).reading).toContain("More than ideal");
    expect(read((n) => n).reading).toContain("Hardly anything is lost");
  });

  test("the base has no share of its own", () => {
    expect(() => serialShareOf(1, 1)).toThrow(/several devices/);
    expect(serialShareOf(2, 4)).toBeCloseTo(1 / 3, 12);
  });

  test("two counts above the base are too few", () => {
    const samples = samplesBy(amdahlOf(0.1), [1, 2, 4]);
    expect(fitScaling(samples, "strong", plain).fits.karpFlatt.status).toBe("inconclusive");
  });
});

describe("the knee", () => {
  const knee = (capacity: (n: number) => number, gainMin = 0.7) => {
    const found = kneeOf(curveOf(samplesBy(capacity), "strong"), gainMin);
    if (found.status !== "fitted") throw new Error(found.reason);
    return found;
  };

  test("a straight curve has none", () => {
    const none = knee((n) => n ** 0.95);
    expect([none.byGain, none.byResiduals]).toEqual([undefined, undefined]);
  });

  test("a curve that bends at 64 has it there, in both ways", () => {
    const bent = knee((n) => (n <= 64 ? n : 64 * (n / 64) ** 0.3));
    expect(bent.byGain?.devices).toBe(64);
    expect(bent.byGain?.nextGain).toBeCloseTo(2 ** 0.3 - 1, 9);
    expect(bent.byResiduals?.devices).toBe(64);
    expect(bent.byResiduals?.slopeAfter).toBeCloseTo(0.3, 6);
  });

  test("one dip from which the curve recovers is no knee", () => {
    const dip = (n: number) => (n === 16 ? n * 0.6 : n);
    expect(knee(dip).byGain).toBeUndefined();
    const stays = (n: number) => (n >= 16 ? 9.6 : n);
    expect(knee(stays).byGain?.devices).toBe(8);
  });

  test("a larger gain asked for finds it earlier", () => {
    const law = uslOf(0.01, 1e-5);
    const [lax, strict] = [knee(law, 0.3).byGain?.devices, knee(law, 0.9).byGain?.devices];
    expect(strict).toBeLessThan(lax ?? 0);
  });

  test("six counts do not tell two lines from one, and that is said", () => {
    const samples = samplesBy((n) => Math.min(n, 8), doublings.slice(0, 6));
    expect(kneeOf(curveOf(samples, "strong"), 0.7)).toMatchObject({
      byGain: { devices: 8 },
      residualsReason: "two lines need 7 counts",
    });
  });
});

describe("the turning point", () => {
  const turn = (capacity: (n: number) => number, devices?: readonly number[]) =>
    fitScaling(samplesBy(capacity, devices), "strong", plain).fits.retrograde;

  test("is at sqrt((1 - sigma)/kappa) of the base, measured or beyond", () => {
    const inside = turn(uslOf(0.04, 1e-4));
    expect(inside).toMatchObject({ status: "fitted", devices: 98, extrapolated: false });
    const beyond = turn(uslOf(0.04, 1e-7), doublings.slice(0, 8));
    expect(beyond).toMatchObject({ status: "fitted", extrapolated: true });
    const based = turn(uslOf(0.04, 1e-4), [8, 16, 32, 64, 128]);
    expect(based).toMatchObject({ devices: 784 });
  });

  test("is none without kappa, and open where kappa may be 0", () => {
    expect(turn(amdahlOf(0.1))).toEqual({ status: "fitted" });
    const { curve, fits } = fitScaling(samplesBy(uslOf(0.04, 1e-4)), "strong", plain);
    const { usl } = fits.models;
    if (usl.status !== "fitted") throw new Error(usl.reason);
    const between = (low: number) => ({
      ...usl,
      parameters: { ...usl.parameters, kappa: { value: 1e-4, interval: { low, high: 2e-4 } } },
    });
    expect(retrogradeOf(curve, between(0))).toMatchObject({
      status: "inconclusive",
      reason: expect.stringContaining("hardly before 69 devices"),
    });
    // A best guess of no kappa is no proof of none.
    const guess = { value: 0, interval: { low: 0, high: 2e-4 } };
    const unproved = { ...usl, parameters: { ...usl.parameters, kappa: guess } };
    expect(retrogradeOf(curve, unproved).status).toBe("inconclusive");
    expect(retrogradeOf(curve, between(5e-5))).toMatchObject({ status: "fitted", devices: 98 });
    const tooFew = { status: "inconclusive", reason: "too few" } as const;
    expect(retrogradeOf(curve, tooFew)).toBe(tooFew);
  });
});
