import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driftOf, medianOf } from "../../../../src/runtime/stress/measure/drift.ts";
import { RateHistogram } from "../../../../src/runtime/stress/measure/rate-histogram.ts";
import { ratesOver, stabilityOf } from "../../../../src/runtime/stress/measure/stability.ts";

const line = (count: number, rate: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ atMs: 1000 * at, rate: rate(at) }));

describe("the drift of a rate", () => {
  it("is the change from start to end, whatever the length of the run", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 1000 }),
        fc.double({ min: -0.5, max: 0.5, noNaN: true }),
        (count, change) => {
          const points = line(count, (at) => 100 * (1 + change * (at / (count - 1) - 0.5)));
          expect(driftOf(points)).toBeCloseTo(change, 6);
        },
      ),
    );
  });

  it("is not moved by a few points that are far off", () => {
    const points = line(50, (at) => (at % 10 === 3 ? 1 : 100));
    expect(driftOf(points)).toBe(0);
  });

  it("finds the last half being slower", () => {
    expect(driftOf(line(40, (at) => (at < 20 ? 100 : 90)))).toBeLessThan(-0.05);
  });

  it("is unknown for two points, and for points at one time", () => {
    expect(driftOf(line(2, () => 1))).toBeNull();
    expect(driftOf([1, 2, 3].map((rate) => ({ atMs: 5, rate })))).toBeNull();
  });
});

describe("the middle of values", () => {
  it("is the mean of the two middle ones, and nothing of none", () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 2, 3])).toBe(2.5);
    expect(medianOf([])).toBeNull();
  });
});

describe("stability", () => {
  it("weighs every iteration alike and the mean by time", () => {
    const rates = new RateHistogram();
    const times = [...Array.from({ length: 99 }, () => 10), 100];
    for (const ms of times) rates.add(1000 / ms);
    const points = times.map((busyMs, at) => ({ atMs: at, busyMs, iterations: 1, reading: null }));
    const stability = stabilityOf({ rates, points, amount: 1 });
    expect(stability?.mean).toBeCloseTo(100_000 / 1090, 6);
    expect(stability?.p01).toBeCloseTo(10, 1);
    expect(stability?.p50).toBeCloseTo(100, 0);
    expect(stability?.p99).toBeCloseTo(100, 0);
    expect(stability?.variation).toBeCloseTo(0.0909, 2);
  });

  it("is unknown when nothing was measured", () => {
    expect(stabilityOf({ rates: new RateHistogram(), points: [], amount: 1 })).toBeNull();
  });

  it("has no rate where the device did nothing", () => {
    const idle = { atMs: 1, busyMs: 0, iterations: 0, reading: null };
    expect(ratesOver([idle, { ...idle, busyMs: 2, iterations: 4 }], 3)).toEqual([
      { atMs: 1, rate: 6000 },
    ]);
  });
});
