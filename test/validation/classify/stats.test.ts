import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gaussian, heavyTailed } from "../../../bench/validation/noise.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { runNoise } from "../../../src/validation/classify/run-noise.ts";
import { binomialUpperTail } from "../../../src/validation/classify/stats/binomial.ts";
import { normalQuantile } from "../../../src/validation/classify/stats/normal.ts";
import { populationCentres } from "../../../src/validation/classify/stats/populations.ts";
import {
  ascending,
  cautiousMean,
  medianOf,
  midmean,
} from "../../../src/validation/classify/stats/robust.ts";
import {
  studentUpperQuantile,
  studentUpperTail,
} from "../../../src/validation/classify/stats/student.ts";
import { largestDivergence, tailScore } from "../../../src/validation/classify/stats/tail-score.ts";
import { tailDegrees } from "../../../src/validation/classify/tail-degrees.ts";
import { conversionFactor } from "../../../src/validation/classify/units.ts";

const normals = (count: number, ...purpose: (string | number)[]) => {
  const random = createRng("stats").stream(...purpose);
  return Array.from({ length: count }, () => gaussian(random));
};

describe("distributions", () => {
  test.each([
    [0.5, 0],
    [0.975, 1.959964],
    [1e-4, -3.719016],
    [0.2, -0.841621],
  ])("the normal quantile of %d is %d", (probability, expected) => {
    expect(normalQuantile(probability)).toBeCloseTo(expected, 5);
  });

  test.each([
    [0.025, 10, 2.228139],
    [0.001, 5, 5.89343],
    [1e-4, 30, 4.233986],
  ])(
    "a Student variable exceeds with chance %d at %d degrees the bound %d",
    (tail, degrees, bound) => {
      expect(studentUpperQuantile(tail, degrees)).toBeCloseTo(bound, 3);
    },
  );

  test("quantile and tail of Student's distribution undo each other", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 0.4, noNaN: true }),
        fc.double({ min: 3, max: 200, noNaN: true }),
        (tail, degrees) => {
          const back = studentUpperTail(studentUpperQuantile(tail, degrees), degrees);
          expect(back / tail).toBeCloseTo(1, 4);
        },
      ),
    );
  });

  test("the binomial tail is exact for small numbers", () => {
    expect(binomialUpperTail({ draws: 3, hits: 2, rate: 0.5 })).toBeCloseTo(0.5, 12);
    expect(binomialUpperTail({ draws: 10, hits: 10, rate: 0.1 })).toBeCloseTo(1e-10, 15);
    expect(binomialUpperTail({ draws: 10, hits: 0, rate: 0.1 })).toBe(1);
  });
});

describe("robust statistics", () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });

  test("the midmean lies between the smallest and the largest, and is the mean of what is left", () => {
    fc.assert(
      fc.property(values, (given) => {
        const mean = midmean(ascending(given));
        expect(mean).toBeGreaterThanOrEqual(Math.min(...given) - 1e-6);
        expect(mean).toBeLessThanOrEqual(Math.max(...given) + 1e-6);
      }),
    );
    expect(midmean([0, 1, 2, 1000])).toBe(1.5);
    expect(midmean([0, 4, 6, 8, 1000])).toBeCloseTo((0.75 * 4 + 6 + 0.75 * 8) / 2.5, 12);
  });

  test("of two values that disagree, the better one decides", () => {
    expect(cautiousMean([10, -1000], 1)).toBeGreaterThan(8.9);
    expect(cautiousMean([10, 10.5], 1)).toBeCloseTo(10.25, 5);
  });

  test("noise between runs is measured rightly, whatever their number, and through decay", () => {
    for (const count of [2, 3, 4, 5, 8, 15]) {
      const series = Array.from({ length: 300 }, (_, node) => {
        const level = 10 * (node % 7) - (node % 6 === 0 ? 0 : 0);
        const points = normals(count, "noise", node, count).map((value, run) => {
          const fall = node % 6 === 0 ? 3 * run : 0;
          return { run, timeMs: run, value: level + value - fall };
        });
        return { node: String(node), gpu: undefined, points };
      });
      const sigma = runNoise(series)?.sigma ?? 0;
      expect(sigma).toBeGreaterThan(0.9);
      expect(sigma).toBeLessThan(1.35);
    }
  });

  test("heavy tails are told from normal ones", () => {
    const random = createRng("stats").stream("heavy");
    const heavy = ascending(Array.from({ length: 2000 }, () => Math.abs(heavyTailed(random))));
    expect(tailDegrees(heavy, 1)).toBeLessThan(8);
    expect(tailDegrees(ascending(normals(2000, "light").map(Math.abs)), 1)).toBe(1000);
  });
});

describe("populations", () => {
  const group = (count: number, centre: number, name: string) =>
    normals(count, name).map((value) => centre + 0.01 * value);

  test("one is one", () => {
    const counts = Array.from(
      { length: 50 },
      (_, seed) => populationCentres(group(60, 1, `one-${seed}`)).length,
    );
    expect(counts.filter((count) => count > 1).length).toBeLessThanOrEqual(1);
  });

  test("two groups of the same width are two, also with strangers among them", () => {
    const levels = [...group(60, 1, "high"), ...group(25, 0.92, "low"), 0.96, 0.8, 0.85];
    const centres = populationCentres(levels);
    expect(centres).toHaveLength(2);
    expect(centres[0]).toBeCloseTo(0.92, 1);
    expect(centres[1]).toBeCloseTo(1, 1);
  });

  test("a few defective nodes are no population, nor are many that scatter", () => {
    expect(populationCentres([...group(90, 1, "most"), ...group(10, 0.9, "few")])).toHaveLength(1);
    const scattered = normals(25, "scattered").map((value) => 0.9 + 0.04 * value);
    expect(populationCentres([...group(75, 1, "rest"), ...scattered])).toHaveLength(1);
  });
});

describe("the tail score", () => {
  const uniform = (count: number, seed: number) => {
    const random = createRng("tail").stream(count, seed);
    return Float64Array.from({ length: count }, () => random.float()).toSorted();
  };

  test.each([8, 20, 50, 300])("is about standard normal for usual runs of %d samples", (count) => {
    const scores = Array.from({ length: 1000 }, (_, seed) => tailScore(uniform(count, seed), 2));
    const high = scores.filter((score) => score > 2.326).length;
    expect(Math.abs(medianOf(scores))).toBeLessThan(0.35);
    expect(high).toBeLessThan(25);
  });

  test.each([2, 3, 8, 51, 300])("spares no depth that counts, with %d samples", (count) => {
    const plain = (shares: ArrayLike<number>, leastCount: number) => {
      let largest = 0;
      for (let low = leastCount; low <= Math.max(leastCount, Math.floor(count / 2)); low++) {
        const expected = Math.max(count * (shares[low - 1] ?? 1), 1e-12);
        const rest = count - low;
        if (expected >= low) continue;
        const others = rest === 0 ? 0 : rest * Math.log(rest / (count - expected));
        largest = Math.max(largest, low * Math.log(low / expected) + others);
      }
      return largest;
    };
    for (let seed = 0; seed < 200; seed++) {
      const low = seed % Math.max(2, count / 2);
      const shares = uniform(count, seed).map((share, at) =>
        at < low ? share / (seed + 2) : share,
      );
      const sorted = shares.toSorted((a, b) => a - b);
      expect(largestDivergence(sorted, { leastCount: 2, count })).toBe(plain(sorted, 2));
    }
  });

  test("is high when a share of samples is low, and not for a single one", () => {
    const usual = uniform(50, 1);
    const withLow = (count: number) =>
      usual.map((share, at) => (at < count ? 1e-5 : share)).toSorted();
    expect(tailScore(withLow(1), 2)).toBeLessThan(2);
    expect(tailScore(withLow(4), 2)).toBeGreaterThan(5);
  });
});

describe("conversion of units", () => {
  test.each([
    ["GB/s", "MB/s", 1000],
    ["Gb/s", "GB/s", 0.125],
    ["Gbps", "Gbit/s", 1],
    ["KiB/s", "B/s", 1024],
    ["ms", "us", 1000],
    ["s", "ms", 1000],
    ["µs", "us", 1],
    ["TFLOPS", "GFLOP/s", 1000],
    ["GHz", "MHz", 1000],
    ["kIOPS", "IOPS", 1000],
    ["strange", "strange", 1],
  ])("from %s to %s multiplies by %d", (from, to, factor) => {
    expect(conversionFactor(from, to)).toBeCloseTo(factor, 9);
  });

  test.each([
    ["GB/s", "ms"],
    ["tokens/s", "images/s"],
    ["strange", "GB/s"],
    ["gb/s", "GB/s"],
    ["", "GB/s"],
  ])("from %s to %s there is none", (from, to) => {
    expect(conversionFactor(from, to)).toBeUndefined();
  });
});
