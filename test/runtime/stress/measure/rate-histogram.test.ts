import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateHistogram } from "../../../../src/runtime/stress/measure/rate-histogram.ts";

const rates = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
});

function histogramOf(values: readonly number[]): RateHistogram {
  const histogram = new RateHistogram();
  for (const value of values) histogram.add(value);
  return histogram;
}

describe("a histogram of rates", () => {
  it("gives back every quantile to 0.2 %", () => {
    fc.assert(
      fc.property(rates, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const sorted = values.toSorted((a, b) => a - b);
        const wanted = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
        const found = histogramOf(values).quantile(share) ?? Number.NaN;
        expect(Math.abs(found / wanted - 1)).toBeLessThan(0.0021);
      }),
    );
  });

  it("knows the ends exactly and nothing lies beyond them", () => {
    const histogram = histogramOf([5, 1.2345, 7.7777]);
    expect(histogram.quantile(0)).toBe(1.2345);
    expect(histogram.quantile(1)).toBe(7.7777);
  });

  it("keeps the slowest one of a million, which an average would hide", () => {
    const histogram = new RateHistogram();
    for (let at = 0; at < 1_000_000; at++) histogram.add(at === 500_000 ? 1 : 750);
    expect(histogram.quantile(0)).toBe(1);
    expect(histogram.quantile(0.01)).toBeCloseTo(750, 6);
    expect(histogram.count).toBe(1_000_000);
  });

  it("has the usual coefficient of variation", () => {
    expect(histogramOf([1, 3]).variation()).toBeCloseTo(Math.SQRT2 / 2, 12);
    expect(histogramOf([2, 2, 2]).variation()).toBe(0);
  });

  it("says nothing of nothing, and no variation of one", () => {
    expect(new RateHistogram().quantile(0.5)).toBeNull();
    expect(histogramOf([4]).variation()).toBeNull();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses the rate %d", (value) => {
    expect(() => new RateHistogram().add(value)).toThrow("above 0");
  });
});
