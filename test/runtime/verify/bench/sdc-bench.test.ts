import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { createRealClock } from "../../../../src/platform/time/real-clock.ts";
import { baseProduct, rowResiduals } from "../../../../src/runtime/verify/bench/base-product.ts";
import { baseSigns } from "../../../../src/runtime/verify/bench/base-signs.ts";
import { matrixOf } from "../../../../src/runtime/verify/bench/data.ts";
import {
  campaignOf,
  detectedWithin,
  meanSecondsToDetection,
  runSdcBench,
  shareOf,
  standardErrorOf,
} from "../../../../src/runtime/verify/bench/index.ts";
import { detectorsThatSee } from "../../../../src/runtime/verify/bench/see-changes.ts";
import { learnThresholds } from "../../../../src/runtime/verify/bench/thresholds.ts";
import {
  applyChanges,
  patternNames,
  patternOf,
} from "../../../../src/runtime/verify/corruption/index.ts";

const clock = createRealClock();
const sizes = { side: 96, products: 6, bitTrials: 60, patternTrials: 60 };
const result = await runSdcBench({ rng: createRng(4), clock, ...sizes });

const scoresOf = (name: string) => {
  const found = result.patterns.find(({ pattern }) => pattern === name);
  if (found === undefined) throw new Error(`${name} was not scored`);
  return found.scores;
};

describe("the bench of detectors", () => {
  it("raises no alarm on fresh clean data, and is inconclusive before it has learnt", () => {
    for (const { falseAlarms } of result.noise) {
      for (const score of Object.values(falseAlarms)) expect(shareOf(score)).toBeLessThan(0.005);
    }
    expect(result.uncalibrated).toBe("inconclusive");
  });

  it.each(["plus-minus-one", "zero-sum", "swapped-columns"])(
    "shows the blind spot of the plain sum beside random signs: %s",
    (name) => {
      expect(shareOf(scoresOf(name).ones)).toBe(0);
      expect(shareOf(scoresOf(name)["signs-1"])).toBeGreaterThan(0.3);
      expect(shareOf(scoresOf(name)["signs-2"])).toBeGreaterThan(0.5);
      expect(shareOf(scoresOf(name)["rows-columns"])).toBe(1);
    },
  );

  it("finds high bits always and low bits less and less", () => {
    for (const { scores } of result.bits) {
      const shares = scores.map(shareOf);
      expect(shares.at(-1)).toBeLessThanOrEqual(shares[2] ?? 0);
    }
    const normal = result.bits.find(
      ({ format, distribution }) => format === "f32" && distribution === "normal",
    );
    expect(
      normal?.scores.filter(({ bit }) => bit >= 18).every(({ found, trials }) => found === trials),
    ).toBe(true);
  });

  it("shows what each place needs: neither sums nor hashes of a collective are enough", () => {
    const at = (site: string) => result.sites.find((one) => one.site === site)?.scores;
    const share = (site: string, name: "linear" | "hash" | "scrub" | "twice" | "signs-2") => {
      const score = at(site)?.[name];
      return score === null || score === undefined ? undefined : shareOf(score);
    };
    expect(share("reduce", "hash")).toBe(0);
    expect(share("reduce", "linear")).toBeGreaterThan(0.4);
    expect(share("gather", "hash")).toBe(1);
    expect(share("gather", "linear")).toBeLessThan(1);
    expect(share("at-rest", "scrub")).toBe(1);
    expect(share("at-rest", "signs-2")).toBe(0);
    expect(share("product", "twice")).toBe(1);
    expect(share("same-product", "twice")).toBe(0);
    expect(share("product", "scrub")).toBeUndefined();
  });

  it("measures a cost for each detector", () => {
    expect(result.costs.length).toBeGreaterThanOrEqual(9);
    expect(result.costs.every(({ percent }) => percent > 0)).toBe(true);
  });

  it("repeats with its seed but for times, says how far it is, and stops when asked to", async () => {
    const notes: string[] = [];
    const again = await runSdcBench({
      rng: createRng(4),
      clock,
      ...sizes,
      onProgress: ({ note }) => notes.push(note),
    });
    expect({ ...again, costs: [] }).toEqual({ ...result, costs: [] });
    expect(notes.length).toBeGreaterThan(40);
    const stop = new AbortController();
    const stopped = runSdcBench({
      rng: createRng(4),
      clock,
      ...sizes,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await expect(stopped).rejects.toThrow("enough");
  });
});

describe("what detectors see of changes", () => {
  const make = (at: number) => {
    const [a, b] = ["a", "b"].map((side) =>
      matrixOf("normal", 64, { seed: "1", stream: `${side}${at}` }),
    );
    const product = baseProduct(a as NonNullable<typeof a>, b as NonNullable<typeof b>);
    return { product, signs: baseSigns(product, createRng(at).stream("signs")) };
  };
  const clean = Array.from({ length: 6 }, (_, at) => make(at));
  const thresholds = learnThresholds(clean);
  const base = make(99);

  it("is what sums of the changed product made anew show", () => {
    for (const name of patternNames) {
      for (let seed = 0; seed < 6; seed++) {
        const changes = patternOf(name).make(base.product.sums, createRng(seed).stream("x"));
        const seen = detectorsThatSee(changes, { ...base, thresholds });
        const values = Float32Array.from(base.product.sums.values);
        applyChanges(values, changes);
        const changed = { ...base.product, sums: { ...base.product.sums, values } };
        const { residuals } = rowResiduals(changed, base.signs.first.weights);
        const { scales, unit } = base.product.rows;
        const anew = residuals.some(
          (residual, row) =>
            !(Math.abs(residual) <= thresholds.signs * unit * (scales[row] as number)),
        );
        expect(seen["signs-1"], `${name} ${seed}`).toBe(anew);
      }
    }
  });

  it("is nothing where nothing changes", () => {
    expect(Object.values(detectorsThatSee([], { ...base, thresholds }))).toEqual(
      Array(8).fill(false),
    );
  });
});

describe("a campaign", () => {
  it("takes 11.6 days in the mean at 10^-8 and 100 products a second", () => {
    const seconds = meanSecondsToDetection({ rate: 1e-8, share: 1, operationsPerSecond: 100 });
    expect(seconds / 86_400).toBeCloseTo(11.57, 2);
    expect(meanSecondsToDetection({ rate: 1, share: 0, operationsPerSecond: 1 })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it("finds with the chance of 1 - (1 - s r q)^n", () => {
    expect(detectedWithin(3, { rate: 0.5, share: 0.5 })).toBeCloseTo(1 - 0.75 ** 3);
    expect(detectedWithin(1e8, { rate: 1e-8, share: 1 })).toBeCloseTo(1 - Math.exp(-1), 6);
    expect(detectedWithin(10, { rate: 1e-3, share: 1, sampled: 0 })).toBe(0);
    expect(detectedWithin(1, { rate: 1, share: 1 })).toBe(1);
  });

  it("counts patterns by their share of the mix", () => {
    const mixed = campaignOf(result.patterns, {
      operationsPerSecond: 1,
      mix: { "plus-one": 1, "plus-minus-one": 1 },
    });
    const ones = mixed.find(({ detector }) => detector === "ones");
    expect(ones?.share).toBeCloseTo(0.5);
  });
});

describe("a score", () => {
  it("has a share and an error, also of none and of all", () => {
    expect(shareOf({ found: 1, trials: 4 })).toBe(0.25);
    expect(standardErrorOf({ found: 50, trials: 100 })).toBeCloseTo(0.05);
    expect(standardErrorOf({ found: 0, trials: 100 })).toBeGreaterThan(0);
    expect(standardErrorOf({ found: 0, trials: 0 })).toBeNaN();
  });
});
