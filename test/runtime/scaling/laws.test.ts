import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRng } from "../../../src/platform/rng/index.ts";
import {
  type Fitted,
  fitScaling,
  type ModelFit,
  type ScalingSample,
} from "../../../src/runtime/scaling/fits/index.ts";
import { amdahlOf, doublings, gustafsonOf, noisySamplesBy, samplesBy, uslOf } from "./samples.ts";

const plain = { rng: createRng(1), resamples: 0 };
const fitsOf = (samples: readonly ScalingSample[]) => fitScaling(samples, "strong", plain).fits;

function fitted(fit: Fitted<ModelFit>): ModelFit {
  if (fit.status !== "fitted") throw new Error(fit.reason);
  return fit;
}

describe("laws", () => {
  test("data of the universal scalability law give its sigma and kappa back, from any base", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.3, noNaN: true }),
        fc.double({ min: 1e-6, max: 0.01, noNaN: true }),
        fc.integer({ min: 1, max: 16 }),
        (sigma, kappa, base) => {
          const devices = doublings.map((count) => count * base);
          const usl = fitted(fitsOf(samplesBy(uslOf(sigma, kappa), devices)).models.usl);
          expect(usl.parameters["sigma"]?.value).toBeCloseTo(sigma, 6);
          expect(usl.parameters["kappa"]?.value).toBeCloseTo(kappa, 6);
          expect(usl.errorMax).toBeLessThan(1e-6);
          expect(usl.baseShare).toBeCloseTo(1, 6);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("Amdahl's and Gustafson's shares come back too", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.9, noNaN: true }), (s) => {
        const amdahl = fitted(fitsOf(samplesBy(amdahlOf(s))).models.amdahl);
        const gustafson = fitted(fitsOf(samplesBy(gustafsonOf(s))).models.gustafson);
        expect(amdahl.parameters["s"]?.value).toBeCloseTo(s, 6);
        expect(gustafson.parameters["s"]?.value).toBeCloseTo(s, 6);
      }),
      { numRuns: 50 },
    );
  });

  test("noise of 1 % leaves every law's parameters where they are, to a few of its deviations", () => {
    const noisy = (capacity: (n: number) => number, seed: number) =>
      fitsOf(noisySamplesBy(capacity, { devices: doublings, runs: 5, noise: 0.01, seed })).models;
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        fc.double({ min: 1e-5, max: 1e-2, noNaN: true }),
        fc.nat(),
        (share, small, seed) => {
          const amdahl = fitted(noisy(amdahlOf(share), seed).amdahl);
          expect((amdahl.parameters["s"]?.value ?? 0) / share).toBeCloseTo(1, 1);
          const gustafson = fitted(noisy(gustafsonOf(share), seed).gustafson);
          expect(gustafson.parameters["s"]?.value).toBeCloseTo(share, 1);
          const usl = fitted(noisy(uslOf(share, small), seed).usl);
          // What both carry together decides; each alone may take from the other.
          const carried = (s: number, k: number) => s + 1024 * k;
          const { sigma, kappa } = usl.parameters;
          const found = carried(sigma?.value ?? 0, kappa?.value ?? 0);
          expect(found / carried(share, small)).toBeCloseTo(1, 1);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("one bad run does not bend the law, and its residual shows it", () => {
    const good = samplesBy(uslOf(0.02, 1e-4));
    const bad = good.map((sample) =>
      sample.devices === 32 ? { ...sample, timesS: [2 * (sample.timesS[0] ?? 0)] } : sample,
    );
    const usl = fitted(fitsOf(bad).models.usl);
    expect(usl.parameters["sigma"]?.value).toBeCloseTo(0.02, 2);
    expect(usl.residuals[5]).toBeGreaterThan(0.8);
    expect(usl.residuals[3]).toBeLessThan(0.1);
  });

  test("a noisy base does not bend the law either: the scale is free", () => {
    const late = samplesBy(amdahlOf(0.05)).map((sample) =>
      sample.devices === 1 ? { ...sample, timesS: [12] } : sample,
    );
    const amdahl = fitted(fitsOf(late).models.amdahl);
    expect(amdahl.parameters["s"]?.value).toBeCloseTo(0.05, 2);
    expect(amdahl.baseShare).toBeCloseTo(1.2, 1);
  });

  test.each([
    ["linear", 2],
    ["amdahl", 3],
    ["gustafson", 3],
    ["usl", 4],
  ] as const)("%s needs %i counts and says so with fewer", (model, counts) => {
    const enough = samplesBy(uslOf(0.1, 0.001), doublings.slice(0, counts));
    expect(fitsOf(enough).models[model].status).toBe("fitted");
    const fewer = fitsOf(enough.slice(1)).models[model];
    expect(fewer).toEqual({
      status: "inconclusive",
      reason: `${model} needs ${counts} counts, and there are ${counts - 1}`,
    });
  });

  test("what is faster than ideal stands at the bound of no serial work", () => {
    const amdahl = fitted(fitsOf(samplesBy((n) => n ** 1.1)).models.amdahl);
    expect([amdahl.parameters["s"]?.value, amdahl.atBound]).toEqual([0, ["s"]]);
    const usual = fitted(fitsOf(samplesBy(amdahlOf(0.1))).models.amdahl);
    expect(usual.atBound).toEqual([]);
  });

  test("what only gets slower stands at the bound of nothing but serial work", () => {
    const amdahl = fitted(fitsOf(samplesBy((n) => 1 / n)).models.amdahl);
    expect(amdahl.parameters["s"]?.value).toBe(1);
    expect(amdahl.atBound).toEqual(["s"]);
    expect(amdahl.errorMax).toBeGreaterThan(1);
  });
});

describe("the best law", () => {
  const noisy = (capacity: (n: number) => number) => {
    const stream = createRng("noise").stream("samples");
    return samplesBy((n) => capacity(n) * (1 + 0.02 * (stream.float() - 0.5)));
  };

  test.each([
    ["linear", (n: number) => n],
    ["amdahl", amdahlOf(0.05)],
    ["gustafson", gustafsonOf(0.4)],
    ["usl", uslOf(0.02, 1e-4)],
  ] as const)("is %s for data of that law with some noise", (model, capacity) => {
    expect(fitsOf(noisy(capacity)).best).toMatchObject({ status: "fitted", model });
  });

  test("is open with five counts, and decided with six", () => {
    const [five, six] = [5, 6].map((count) =>
      fitsOf(samplesBy(uslOf(0.05, 1e-3), doublings.slice(0, count))),
    );
    expect(five?.best.status).toBe("inconclusive");
    expect(six?.best).toMatchObject({ status: "fitted", model: "usl" });
  });

  test("is none where no law is near", () => {
    const jumps = samplesBy((n) => (Math.log2(n) % 2 === 0 ? n : n / 4));
    const { best, retrograde, models } = fitsOf(jumps);
    const errors = Object.values(models).map((fit) => fitted(fit).errorMean);
    const least = (100 * Math.min(...errors)).toFixed(0);
    expect(best).toMatchObject({
      status: "inconclusive",
      reason: expect.stringMatching(`no law explains this curve: the nearest.* ${least} %`),
    });
    // Nor does a law that explains nothing say where the curve turns.
    expect(retrograde).toMatchObject({
      status: "inconclusive",
      reason: expect.stringContaining("is off by"),
    });
  });
});
