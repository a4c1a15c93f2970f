import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factLines } from "../../../web/src/pages/runs/facts.ts";
import { placeFigures } from "../../../web/src/pages/runs/figure-places.ts";
import { axisOf, histogramOf } from "../../../web/src/pages/runs/histogram.ts";
import { isUnjudged } from "../../../web/src/pages/runs/run-facts.ts";
import { findingText } from "../../../web/src/pages/runs/with-unit.ts";

describe("a run without a verdict", () => {
  const over = { state: "ended", outcome: "completed", verdict: null } as const;

  it("is not judged yet once it has completed", () => {
    expect(isUnjudged(over)).toBe(true);
    expect(isUnjudged({ ...over, outcome: null })).toBe(true);
  });

  it("is what it is doing while it goes on, and what stopped it when it did not complete", () => {
    expect(isUnjudged({ ...over, state: "running", outcome: null })).toBe(false);
    expect(isUnjudged({ ...over, outcome: "timeout" })).toBe(false);
    expect(isUnjudged({ ...over, verdict: "pass" })).toBe(false);
  });
});

describe("a value of a finding", () => {
  it("is a score for a tail, and has its figure's unit otherwise", () => {
    expect(findingText({ rule: "tail", unit: null }, 3.2)).toBe("3.2 (score)");
    expect(findingText({ rule: "floor", unit: "GB/s" }, 40)).toBe("40 GB/s");
  });

  it("has no unit when there is no value", () => {
    expect(findingText({ rule: "tail", unit: null }, null)).not.toContain("score");
  });
});

describe("the bars of samples", () => {
  it("count every sample once", () => {
    const samples = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(samples, (all) => {
        const bars = histogramOf(all);
        expect(bars?.counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);
        expect(bars?.low).toBe(Math.min(...all));
        expect(bars?.high).toBe(Math.max(...all));
      }),
    );
  });

  it("are one when all samples are the same, and none without samples", () => {
    expect(histogramOf([7, 7, 7])).toEqual({ low: 7, high: 7, counts: [3], most: 3 });
    expect(histogramOf([])).toBeUndefined();
    expect(histogramOf([Number.NaN])).toBeUndefined();
  });
});

describe("the axis of a histogram", () => {
  const bars = { low: 10, high: 20, counts: [1, 1], most: 1 };

  it("has room for what the samples are held against", () => {
    const { from, to, shareOf } = axisOf(bars, [30]);
    expect([from, to, shareOf(10), shareOf(20), shareOf(30)]).toEqual([10, 30, 0, 0.5, 1]);
  });

  it("is that of the samples where nothing lies outside", () => {
    expect(axisOf(bars, [15])).toMatchObject({ from: 10, to: 20 });
    expect(axisOf({ ...bars, low: 7, high: 7 }, []).shareOf(7)).toBe(0);
  });
});

describe("the figures of a run", () => {
  const figure = (name: string) => ({
    name,
    unit: "ms",
    higherIsBetter: false,
    samples: [1],
    samplesTotal: 1,
    median: 1,
  });
  const finding = { rule: "floor", value: 9, bound: 5, unit: "ms", cohort: "all" };
  const figures = ["a", "b", "c"].map(figure);

  it("begin with those that findings name, each with its bound", () => {
    const placed = placeFigures(figures, [
      { ...finding, metric: "c" },
      { ...finding, metric: "b" },
    ]);
    expect(placed.map((one) => [one.figure.name, one.isNamed])).toEqual([
      ["c", true],
      ["b", true],
      ["a", false],
    ]);
    expect(placed[0]?.bounds).toEqual([{ value: 5, rule: "floor" }]);
    expect(placed[2]?.bounds).toEqual([]);
  });

  it("have no bound that is measured in something else, and their own order without findings", () => {
    const placed = placeFigures(figures, [
      { ...finding, metric: "c", unit: "%" },
      { ...finding, metric: "c", rule: "tail" },
    ]);
    expect([placed[0]?.figure.name, placed[0]?.bounds]).toEqual(["c", []]);
    expect(placeFigures(figures, []).map((one) => one.figure.name)).toEqual(["a", "b", "c"]);
  });
});

describe("facts as lines", () => {
  it("have the path to each value", () => {
    expect(factLines({ gpu: { name: "H100", mig: false }, hcas: ["a", "b"], none: null })).toEqual([
      ["gpu.name", "H100"],
      ["gpu.mig", "false"],
      ["hcas", "a, b"],
      ["none", "null"],
    ]);
  });

  it("end somewhere, however large or deep the facts are", () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, at]));
    expect(factLines(wide).length).toBe(200);
    let deep: unknown = "x".repeat(5000);
    for (let depth = 0; depth < 50; depth++) deep = { deep };
    expect(factLines(deep)[0]?.[1].length).toBeLessThan(500);
  });
});
