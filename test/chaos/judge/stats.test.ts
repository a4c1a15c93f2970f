import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clopperPearson,
  type Duration,
  kaplanMeier,
  medianOf,
  provenRate,
  quantile,
  robustVariation,
  theilSen,
} from "../../../src/chaos/judge/stats/index.ts";

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe("quantile", () => {
  it("lies between the neighbours of its place", () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([1, 2, 3, 4, 5], 0.95)).toBeCloseTo(4.8, 12);
    expect(quantile([1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], 0.5)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it("has nothing to say of nothing", () => {
    expect(quantile([], 0.5)).toBeNull();
    expect(medianOf([])).toBeNull();
    expect(robustVariation([0, 0])).toBeNull();
  });

  it("has half of all values on each side of the median", () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 40 }), (values) => {
        const median = medianOf(values) ?? Number.NaN;
        const below = values.filter((value) => value < median).length;
        const above = values.filter((value) => value > median).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });
});

describe("robustVariation", () => {
  it("is the scaled median distance over the median, by hand", () => {
    expect(robustVariation([9, 10, 11, 10, 100])).toBeCloseTo(0.14826, 10);
  });

  it("is not moved by a few standstills, as the standard deviation would be", () => {
    expect(robustVariation([10, 10, 10, 10, 10, 0, 0])).toBe(0);
  });
});

describe("theilSen", () => {
  it("finds the slope of a line although a quarter of its points is far off", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 5 }),
        fc.integer({ min: 12, max: 40 }),
        (slope, count) => {
          const points = Array.from({ length: count }, (_, x) => ({
            x,
            y: slope * x + (x % 4 === 1 ? 1e6 * (x % 8 === 1 ? 1 : -1) : 0),
          }));
          expect(theilSen(points)?.slope).toBeCloseTo(slope, 6);
        },
      ),
    );
  });

  it("has an interval around the slope, which holds 0 where nothing changes", () => {
    const flat = Array.from({ length: 30 }, (_, x) => ({ x, y: (x * 7919) % 13 }));
    const found = theilSen(flat);
    expect(found?.low).toBeLessThanOrEqual(0);
    expect(found?.high).toBeGreaterThanOrEqual(0);
    const falling = theilSen(flat.map(({ x, y }) => ({ x, y: y - 5 * x })));
    expect(falling?.high).toBeLessThan(0);
  });

  it("says nothing of two points, or of points at one place", () => {
    expect(
      theilSen([
        { x: 0, y: 0 },
        { x: 1, y: 5 },
      ]),
    ).toBeNull();
    expect(theilSen([1, 2, 3].map((y) => ({ x: 4, y })))).toBeNull();
  });

  it("takes some of very many points and finds the same", () => {
    const points = Array.from({ length: 5000 }, (_, x) => ({ x, y: 3 * x }));
    expect(theilSen(points)?.slope).toBeCloseTo(3, 9);
  });
});

/** P(at least k of n) by adding up all of it. */
function tailFrom(k: number, n: number, p: number): number {
  let sum = 0;
  for (let i = k; i <= n; i++) {
    let term = 1;
    for (let j = 0; j < i; j++) term *= ((n - j) / (i - j)) * p;
    sum += term * (1 - p) ** (n - i);
  }
  return sum;
}

describe("clopperPearson", () => {
  it("agrees with the published interval of 8 of 10", () => {
    const { low, high } = clopperPearson(8, 10);
    expect(low).toBeCloseTo(0.4439, 4);
    expect(high).toBeCloseTo(0.9748, 4);
  });

  it("has ends from which what was seen is as rare as 2.5 %, by adding up binomials", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 60 })
          .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n))),
        ([k, n]) => {
          const { low, high } = clopperPearson(k, n);
          if (k > 0) expect(tailFrom(k, n, low)).toBeCloseTo(0.025, 6);
          else expect(low).toBe(0);
          if (k < n) expect(1 - tailFrom(k + 1, n, high)).toBeCloseTo(0.025, 6);
          else expect(high).toBe(1);
        },
      ),
    );
  });

  it("knows nothing of no attempts", () => {
    expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it("says what runs without failure prove: 299 are 99 %, 298 are not", () => {
    expect(provenRate(299)).toBeGreaterThanOrEqual(0.99);
    expect(provenRate(298)).toBeLessThan(0.99);
    expect(provenRate(59)).toBeGreaterThanOrEqual(0.95);
    expect(provenRate(0)).toBe(0);
  });
});

/** Efron's way: what is censored hands its mass to all that come after it. */
function redistributed(durations: readonly Duration[], at: number): number {
  const sorted = durations.toSorted(
    (a, b) => a.value - b.value || Number(a.isCensored) - Number(b.isCensored),
  );
  const mass = sorted.map(() => 1 / sorted.length);
  for (const [index, { isCensored }] of sorted.entries()) {
    if (!isCensored || index === sorted.length - 1) continue;
    const share = (mass[index] ?? 0) / (sorted.length - index - 1);
    for (let later = index + 1; later < sorted.length; later++)
      mass[later] = (mass[later] ?? 0) + share;
    mass[index] = 0;
  }
  return sorted.reduce(
    (sum, { value, isCensored }, index) =>
      value > at || isCensored ? sum + (mass[index] ?? 0) : sum,
    0,
  );
}

describe("kaplanMeier", () => {
  it("gives what a hand computes of 2, 3+, 5, 7, 7+", () => {
    const found = kaplanMeier([
      { value: 5, isCensored: false },
      { value: 2, isCensored: false },
      { value: 3, isCensored: true },
      { value: 7, isCensored: true },
      { value: 7, isCensored: false },
    ]);
    expect(
      found.points.map(({ at, survival, atRisk }) => [at, Number(survival.toFixed(6)), atRisk]),
    ).toEqual([
      [2, 0.8, 5],
      [5, 0.533333, 3],
      [7, 0.266667, 2],
    ]);
    expect(found).toMatchObject({ n: 5, censored: 2, median: 7, p95: null });
  });

  it("agrees with handing on the mass of whatever is censored", () => {
    const durations = fc.array(
      fc.record({ value: fc.integer({ min: 1, max: 9 }), isCensored: fc.boolean() }),
      { minLength: 1, maxLength: 25 },
    );
    fc.assert(
      fc.property(durations, (all) => {
        for (const { at, survival } of kaplanMeier(all).points) {
          expect(survival).toBeCloseTo(redistributed(all, at), 9);
        }
      }),
    );
  });

  it("has no median when most did not end, however short they were watched", () => {
    const found = kaplanMeier([
      { value: 1, isCensored: false },
      { value: 9, isCensored: true },
      { value: 9, isCensored: true },
    ]);
    expect(found.median).toBeNull();
  });

  it("has an interval around its median", () => {
    const { median, medianLow, medianHigh } = kaplanMeier(
      Array.from({ length: 40 }, (_, index) => ({ value: index + 1, isCensored: false })),
    );
    expect(median).toBe(20);
    expect(medianLow).toBeLessThan(20);
    expect(medianHigh).toBeGreaterThan(20);
  });
});
