import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import { fitScaling, type ScalingSample } from "../../../src/runtime/scaling/fits/index.ts";
import { amdahlOf, doublings, samplesBy } from "./samples.ts";

const truth = 0.05;

/** Seven runs of each count, some percent apart. */
function table(seed: number): readonly ScalingSample[] {
  const stream = createRng(seed).stream("runs");
  return samplesBy(amdahlOf(truth), doublings.slice(0, 7)).map((sample) => ({
    ...sample,
    timesS: Array.from(
      { length: 7 },
      () => (sample.timesS[0] ?? 0) * (1 + 0.06 * (stream.float() - 0.5)),
    ),
  }));
}

const serialInterval = (seed: number) => {
  const { models } = fitScaling(table(seed), "strong", { rng: createRng(1), resamples: 80 }).fits;
  return models.amdahl.status === "fitted" ? models.amdahl.parameters["s"]?.interval : undefined;
};

describe("confidence", () => {
  test("the interval holds the truth in nearly all tables, and is not endless", () => {
    const intervals = Array.from({ length: 16 }, (_, seed) => serialInterval(seed));
    const holding = intervals.filter(
      (one) => one !== undefined && one.low <= truth && truth <= one.high,
    );
    expect(holding.length).toBeGreaterThanOrEqual(13);
    for (const one of intervals) expect((one?.high ?? 1) - (one?.low ?? 0)).toBeLessThan(0.01);
  });

  test("the same seed draws the same, another draws otherwise", () => {
    const fit = (seed: number) =>
      fitScaling(table(1), "strong", { rng: createRng(seed), resamples: 40 });
    expect(fit(3)).toEqual(fit(3));
    expect(fit(3)).not.toEqual(fit(4));
  });

  test("each count with several runs has an interval, one that was run once has none", () => {
    const samples = table(2).map((sample) =>
      sample.devices === 64 ? { ...sample, timesS: sample.timesS.slice(0, 1) } : sample,
    );
    const { curve, fits } = fitScaling(samples, "strong", { rng: createRng(1), resamples: 50 });
    expect(fits.confidence).toEqual({ level: 0.95, resamples: 50, from: "runs" });
    const [base, second] = curve.points;
    expect(base).not.toHaveProperty("efficiencyInterval");
    expect(second?.efficiencyInterval?.low).toBeLessThan(second?.efficiency ?? 0);
    expect(curve.points.at(-1)).not.toHaveProperty("efficiencyInterval");
  });

  test("single runs give intervals of the laws by their residuals, too few give none", () => {
    const single = samplesBy(amdahlOf(truth));
    const many = fitScaling(single, "strong", { rng: createRng(1), resamples: 20 }).fits;
    expect(many.confidence.from).toBe("residuals");
    expect(many.models.usl).toHaveProperty("efficiencyInterval");
    const few = fitScaling(single.slice(0, 4), "strong", { rng: createRng(1) }).fits;
    expect(few.confidence).toMatchObject({ resamples: 0, from: "none" });
    expect(few.models.usl).not.toHaveProperty("efficiencyInterval");
  });
});
