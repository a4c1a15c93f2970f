import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  fitScaling,
  type Interval,
  type ScalingSample,
} from "../../../src/runtime/scaling/fits/index.ts";
import { amdahlOf, doublings, noisySamplesBy, samplesBy, uslOf } from "./samples.ts";

const truth = 0.05;

/** Seven runs of each count, some percent apart. */
function table(seed: number): readonly ScalingSample[] {
  const devices = doublings.slice(0, 7);
  return noisySamplesBy(amdahlOf(truth), { devices, runs: 7, noise: 0.02, seed });
}

const [sigma, kappa] = [0.02, 1e-4];
const law = uslOf(sigma, kappa);

/** Of many tables of one law, each with its own noise: the shares whose 95 % intervals hold the truth. */
function coverage(shape: {
  readonly counts: number;
  readonly runs: number;
  readonly noise: number;
}) {
  const { counts, runs, noise } = shape;
  const seen = { parameters: [] as boolean[], efficiencies: [] as boolean[] };
  const devices = doublings.slice(0, counts);
  for (let seed = 0; seed < 32; seed++) {
    const samples = noisySamplesBy(law, { devices, runs, noise, seed });
    const { curve, fits } = fitScaling(samples, "strong", { rng: createRng(1), resamples: 50 });
    const { usl } = fits.models;
    if (usl.status !== "fitted") throw new Error(usl.reason);
    const holds = (one: Interval | undefined, value: number) =>
      one !== undefined && one.low <= value && value <= one.high;
    seen.parameters.push(holds(usl.parameters["sigma"]?.interval, sigma));
    seen.parameters.push(holds(usl.parameters["kappa"]?.interval, kappa));
    for (const { devices: n, efficiencyInterval } of curve.points.slice(1)) {
      seen.efficiencies.push(holds(efficiencyInterval, law(n) / n));
    }
  }
  const share = (all: readonly boolean[]) => all.filter(Boolean).length / all.length;
  return { parameters: share(seen.parameters), efficiencies: share(seen.efficiencies) };
}

describe("confidence", () => {
  test.each([
    { counts: 6, runs: 1 },
    { counts: 7, runs: 2 },
    { counts: 7, runs: 5 },
  ])("$counts counts of $runs runs: intervals of 95 % hold the truth about as often", (shape) => {
    const { parameters, efficiencies } = coverage({ ...shape, noise: 0.03 });
    expect(parameters).toBeGreaterThan(0.88);
    if (shape.runs > 1) expect(efficiencies).toBeGreaterThan(0.88);
  });

  test("runs without noise give intervals without width, and noise widens them", () => {
    const widths = [0, 0.005, 0.02].map((noise) => {
      const samples = noisySamplesBy(law, { devices: doublings, runs: 3, noise, seed: 1 });
      const { curve } = fitScaling(samples, "strong", { rng: createRng(1), resamples: 60 });
      const { low = 0, high = 1 } = curve.points.at(-1)?.efficiencyInterval ?? {};
      return (high - low) / law(1024) / 1024;
    });
    expect(widths[0]).toBeLessThan(1e-12);
    expect(widths[1]).toBeGreaterThan(widths[0] ?? 0);
    expect(widths[2]).toBeGreaterThan(2 * (widths[1] ?? 0));
  });

  test("runs that agree do not make a law sure that is far off, and leave one that holds sure", () => {
    const width = (capacity: (n: number) => number) => {
      const samples = noisySamplesBy(capacity, {
        devices: doublings,
        runs: 3,
        noise: 1e-4,
        seed: 1,
      });
      const { amdahl } = fitScaling(samples, "strong", { rng: createRng(1), resamples: 60 }).fits
        .models;
      const { low = 0, high = 0 } =
        amdahl.status === "fitted" ? (amdahl.parameters["s"]?.interval ?? {}) : {};
      return high / low - 1;
    };
    expect(width(uslOf(0.02, 1e-4))).toBeGreaterThan(0.1);
    expect(width(amdahlOf(0.02))).toBeLessThan(0.01);
  });

  test("a count that was run once is as unsure as those that were run twice", () => {
    const devices = doublings.slice(0, 7);
    const twice = noisySamplesBy(law, { devices, runs: 2, noise: 0.03, seed: 5 });
    const once = twice.map((sample) =>
      sample.devices === 4 ? sample : { ...sample, timesS: sample.timesS.slice(0, 1) },
    );
    const { usl } = fitScaling(once, "strong", { rng: createRng(1), resamples: 60 }).fits.models;
    if (usl.status !== "fitted") throw new Error(usl.reason);
    const { low = 0, high = 0 } = usl.efficiencyInterval?.at(-1) ?? {};
    expect(high).toBeGreaterThan(1.02 * low);
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
    expect(fits.confidence).toEqual({ level: 0.95, resamples: 50, from: "both" });
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
