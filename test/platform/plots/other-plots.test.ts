import { describe, expect, it } from "vitest";
import {
  type BarsPlot,
  type HeatMapPlot,
  type HistogramPlot,
  renderBars,
  renderHeatMap,
  renderHistogram,
} from "../../../src/platform/plots/index.ts";
import { elementsOf, parseSvg, textOf } from "./svg-facts.ts";

function withClass(svg: string, name: string) {
  return elementsOf(parseSvg(svg)).filter(({ attributes }) =>
    attributes["class"]?.split(" ").includes(name),
  );
}

const bars: BarsPlot = {
  kind: "bars",
  title: "Recovery",
  categories: ["node lost", "partition"],
  y: { label: "Time", unit: "s" },
  series: [
    { name: "sim", values: [12, 48], low: [10, 40], high: [15, 61] },
    { name: "host", values: [14, null] },
  ],
};

describe("renderBars", () => {
  it("draws a bar for each value, a dash for each missing one, error bars where given", () => {
    const svg = renderBars(bars);
    // Two swatches of the legend and three bars.
    expect(withClass(svg, "tp-bar")).toHaveLength(5);
    expect(withClass(svg, "tp-error")).toHaveLength(2);
    expect(textOf(parseSvg(svg))).toContain("1 value missing (–)");
  });

  it("starts bars at zero even when all values are far from it", () => {
    const svg = renderBars({ ...bars, series: [{ name: "a", values: [1000, 1001] }] });
    expect(textOf(parseSvg(svg))).toMatch(/\s0 min\s/);
  });

  it("hangs negative values below the base line", () => {
    const svg = renderBars({ ...bars, series: [{ name: "a", values: [-5, 5] }] });
    const [first, second] = withClass(svg, "tp-bar").map(({ attributes }) =>
      Number(attributes["y"]),
    );
    expect(first).toBeGreaterThan(second ?? 0);
  });

  it("says so when no category has a value", () => {
    const svg = renderBars({ ...bars, series: [{ name: "a", values: [null, null] }] });
    expect(textOf(parseSvg(svg))).toContain("No data");
  });
});

const heat: HeatMapPlot = {
  kind: "heat-map",
  title: "Loop-back",
  rowLabel: "node",
  columnLabel: "GPU",
  rows: ["a", "b"],
  columns: ["0", "1"],
  values: [
    [400, 450],
    [null, 200],
  ],
  valueLabel: "Bandwidth",
  unit: "GB/s",
  bounds: { low: 380 },
};

describe("renderHeatMap", () => {
  it("explains every shade in words and marks missing and out-of-bounds cells without colour", () => {
    const svg = renderHeatMap(heat);
    const text = textOf(parseSvg(svg));
    expect(text).toContain("414 – 450 GB/s");
    expect(text).toContain("no value");
    expect(text).toContain("below 380 GB/s");
    // One cell out of bounds, and the legend's own.
    expect(withClass(svg, "tp-cross")).toHaveLength(2);
  });

  it("leaves marks that do not occur out of the legend", () => {
    const { bounds: _, ...rest } = heat;
    const text = textOf(
      parseSvg(
        renderHeatMap({
          ...rest,
          values: [
            [1, 2],
            [3, 4],
          ],
        }),
      ),
    );
    expect(text).not.toContain("no value");
    expect(text).not.toContain("below");
  });

  it("gives larger values a darker step in order", () => {
    const svg = renderHeatMap({
      ...heat,
      values: [
        [1, 2],
        [3, 4],
      ],
      rows: ["a", "b"],
    });
    const cells = elementsOf(parseSvg(svg)).filter(
      ({ name, attributes }) => name === "rect" && /^tp-h\d$/.test(attributes["class"] ?? ""),
    );
    expect(cells.slice(0, 4).map(({ attributes }) => attributes["class"])).toEqual([
      "tp-h0",
      "tp-h2",
      "tp-h4",
      "tp-h6",
    ]);
  });

  it("merges more cells than fit by the largest, keeps the worst visible and says so", () => {
    const rows = Array.from({ length: 500 }, (_, index) => `r${index}`);
    const columns = Array.from({ length: 400 }, (_, index) => `c${index}`);
    const values = rows.map((_, r) => columns.map((_, c) => (r === 77 && c === 99 ? 1000 : 1)));
    const svg = renderHeatMap({ ...heat, rows, columns, values, bounds: { high: 10 } });
    expect(textOf(parseSvg(svg))).toMatch(/Each cell shows the largest of up to \d+ values/);
    expect(withClass(svg, "tp-cross")).toHaveLength(2);
  });
});

const histogram: HistogramPlot = {
  kind: "histogram",
  title: "Latency",
  x: { label: "Latency", unit: "ms" },
  values: [1, 2, 2, 3, 3, 3, 4, 4, 5, 12, null, Number.NaN],
  bounds: { low: 1.5, high: 10 },
};

describe("renderHistogram", () => {
  it("draws the bounds in and counts what lies outside", () => {
    const text = textOf(parseSvg(renderHistogram(histogram)));
    expect(text).toContain("at least 1.5 ms: 1 below");
    expect(text).toContain("at most 10 ms: 1 above");
  });

  it("counts every value once and says how many it left out", () => {
    const text = textOf(parseSvg(renderHistogram(histogram)));
    expect(text).toContain("10 values in");
    expect(text).toContain("2 values missing or impossible to draw, left out");
  });

  it("shows nothing about bounds when there are none", () => {
    const { bounds: _, ...rest } = histogram;
    expect(textOf(parseSvg(renderHistogram(rest)))).not.toMatch(/at least|at most/);
  });

  it("draws equal values as one range around them", () => {
    const svg = renderHistogram({ ...histogram, values: [7, 7, 7], bounds: {} });
    expect(withClass(svg, "tp-bar")).toHaveLength(1);
  });
});
