import { describe, expect, it } from "vitest";
import { type LinesPlot, renderLines } from "../../../src/platform/plots/index.ts";
import { elementsOf, parseSvg, textOf } from "./svg-facts.ts";

const base: LinesPlot = {
  kind: "lines",
  title: "Bandwidth",
  provenance: "measured",
  x: { label: "Size", unit: "B" },
  y: { label: "Rate", unit: "GB/s" },
  series: [{ name: "ring", x: [1, 2, 3, 4], y: [10, 20, null, 40] }],
};

function lineOf(svg: string): string {
  const lines = elementsOf(parseSvg(svg)).filter(
    ({ name, attributes }) => name === "path" && attributes["class"]?.includes("tp-line"),
  );
  return lines[0]?.attributes["d"] ?? "";
}

function stretchesIn(d: string): number {
  return d.split("M").length - 1;
}

describe("renderLines", () => {
  it("breaks the line at a missing value instead of bridging it or falling to zero", () => {
    expect(stretchesIn(lineOf(renderLines(base)))).toBe(2);
  });

  it("draws one unbroken line when nothing is missing", () => {
    const series = [{ name: "ring", x: [1, 2, 3, 4], y: [10, 20, 30, 40] }];
    expect(stretchesIn(lineOf(renderLines({ ...base, series })))).toBe(1);
  });

  it("says what it cannot draw on a log axis", () => {
    const series = [{ name: "ring", x: [1, 2, 3], y: [0, -5, 10] }];
    const text = textOf(parseSvg(renderLines({ ...base, y: { ...base.y, scale: "log" }, series })));
    expect(text).toContain("2 values could not be drawn (not above zero, or not finite)");
    expect(text).toContain("log scale");
  });

  it("takes the marks and ends of an axis that it is given, and round ones otherwise", () => {
    const series = [{ name: "ring", x: [1, 8, 72], y: [1, 2, 3] }];
    const ticksOf = (ticks?: readonly number[]) => {
      const x = {
        label: "Devices",
        scale: "log",
        ...(ticks === undefined ? {} : { ticks }),
      } as const;
      const elements = elementsOf(parseSvg(renderLines({ ...base, x, series })));
      return elements
        .filter(({ attributes }) => attributes["text-anchor"] === "middle")
        .filter(({ attributes }) => attributes["class"] === "tp-tick")
        .map(({ children }) => textOf(children).trim());
    };
    expect(ticksOf([72, 1, 8])).toEqual(["1", "8", "72"]);
    expect(ticksOf()).toEqual(["1", "2", "5", "10", "20", "50", "100"]);
    // One mark is no axis, and 0 has no place on this one.
    expect(ticksOf([0, 72])).toEqual(ticksOf());
  });

  it("names each series, the axes, the bound and where the numbers come from", () => {
    const text = textOf(
      parseSvg(renderLines({ ...base, references: [{ axis: "y", value: 35, label: "bound 35" }] })),
    );
    for (const word of ["Bandwidth", "measured", "Size", "Rate", "ring", "bound 35"]) {
      expect(text).toContain(word);
    }
  });

  it("widens the axis to show a bound that lies beyond the data", () => {
    const references = [{ axis: "y" as const, value: 390, label: "bound" }];
    expect(textOf(parseSvg(renderLines({ ...base, references })))).toContain("400 GB/s");
    expect(textOf(parseSvg(renderLines(base)))).not.toContain("400 GB/s");
  });

  it("keeps the one spike among 200,000 points and says that it decimated", () => {
    const x = Array.from({ length: 200_000 }, (_, index) => index);
    const y = x.map((index) => (index === 123_456 ? 1000 : 1));
    const svg = renderLines({ ...base, series: [{ name: "power", x, y }] });
    expect(textOf(parseSvg(svg))).toContain(
      "200,000 points drawn as the smallest and largest of each column of pixels",
    );
    const heights = [...lineOf(svg).matchAll(/[ML]\S+ ([^MLZ]+)/g)].map((match) =>
      Number(match[1]),
    );
    expect(new Set(heights).size).toBe(2);
    expect(svg.length).toBeLessThan(60_000);
  });

  it("does not speak of decimation when every point is drawn", () => {
    expect(textOf(parseSvg(renderLines(base)))).not.toContain("column of pixels");
  });

  it("draws points in order of x whatever order they come in", () => {
    const backwards = [{ name: "ring", x: [4, 3, 2, 1], y: [40, 30, 20, 10] }];
    const forwards = [{ name: "ring", x: [1, 2, 3, 4], y: [10, 20, 30, 40] }];
    expect(renderLines({ ...base, series: backwards })).toBe(
      renderLines({ ...base, series: forwards }),
    );
  });

  it("shows an empty state that gives the reason when there is nothing to draw", () => {
    const svg = renderLines({ ...base, series: [{ name: "ring", x: [1], y: [null] }] });
    const text = textOf(parseSvg(svg));
    expect(text).toContain("No data");
    expect(text).toContain("1 value, none that can be drawn");
  });

  it("counts the series beyond those it can keep apart", () => {
    const series = Array.from({ length: 15 }, (_, index) => ({
      name: `s${index}`,
      x: [1, 2],
      y: [index, index],
    }));
    const text = textOf(parseSvg(renderLines({ ...base, series })));
    expect(text).toContain("3 more series not drawn");
    expect(text).toContain("s11");
  });

  it("tells series apart by dash and marker as well as by colour", () => {
    const series = ["a", "b"].map((name, index) => ({ name, x: [1, 2], y: [index, index + 1] }));
    const classes = elementsOf(parseSvg(renderLines({ ...base, series })))
      .filter(({ attributes }) => attributes["class"]?.includes("tp-line"))
      .map(({ attributes }) => attributes["class"]);
    expect(classes).toContain("tp-c0 tp-d0 tp-line");
    expect(classes).toContain("tp-c1 tp-d1 tp-line");
  });

  it("draws the band around a line where both of its edges are known", () => {
    const banded = { ...base.series[0], low: [8, 18, null, 35], high: [12, 22, 30, 45] };
    const svg = renderLines({
      ...base,
      series: [
        {
          name: "ring",
          x: [1, 2, 3, 4],
          y: [10, 20, null, 40],
          low: banded.low,
          high: banded.high,
        },
      ],
    });
    const bands = elementsOf(parseSvg(svg)).filter(({ attributes }) =>
      attributes["class"]?.includes("tp-band"),
    );
    expect(bands).toHaveLength(2);
  });
});
