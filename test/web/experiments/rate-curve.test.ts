import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  curvePath,
  nearestWindow,
  rateAt,
  rateMax,
} from "../../../web/src/pages/experiments/model/rate-curve.ts";

const box = { range: { fromS: 0, toS: 10 }, max: 100 };

describe("the line of a rate", () => {
  it("goes through all windows", () => {
    expect(curvePath([0, 5, 10], [0, 50, 100], box)).toBe("M0.00 100.00L500.00 50.00L1000.00 0.00");
  });

  it("has a gap where nothing is known", () => {
    const path = curvePath([0, 2, 4, 6, 8], [1, 1, null, 1, 1], box);
    expect(path.match(/M/g)).toHaveLength(2);
  });

  it("shows a window that stands alone", () => {
    expect(curvePath([0, 5, 10], [null, 50, null], box)).toBe("M500.00 50.00h1.5");
  });

  it("is empty when nothing is known at all", () => {
    expect(curvePath([0, 5], [null, null], box)).toBe("");
  });
});

describe("the window nearest to a moment", () => {
  it("is the one that no other is nearer than", () => {
    const times = fc
      .uniqueArray(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 50 })
      .map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(times, fc.double({ min: -10, max: 1010, noNaN: true }), (all, atS) => {
        const found = nearestWindow(all, atS) ?? -1;
        const best = Math.min(...all.map((one) => Math.abs(one - atS)));
        expect(Math.abs((all[found] ?? Number.NaN) - atS)).toBe(best);
      }),
    );
  });

  it("does not exist without windows", () => {
    expect(nearestWindow([], 3)).toBeUndefined();
  });
});

describe("the rate at a moment", () => {
  const rate = {
    unit: "samples",
    times: [1, 3],
    withFaults: [10, null],
    usual: [12, 12],
    dips: [],
  };

  it("is that of the nearest window, beside the usual one", () => {
    expect(rateAt(rate, 1.4)).toEqual({ withFaults: 10, usual: 12 });
  });

  it("is not known where the window knows nothing, and not nought", () => {
    expect(rateAt(rate, 2.9)).toEqual({ withFaults: null, usual: 12 });
  });

  it("gives both curves one axis", () => {
    expect(rateMax(rate)).toBe(12);
    expect(rateMax({ ...rate, withFaults: [null, null], usual: [0, null] })).toBe(1);
  });
});
