import { describe, expect, it } from "vitest";
import { type LanesPlot, renderLanes } from "../../../src/platform/plots/index.ts";
import { elementsOf, parseSvg, textOf } from "./svg-facts.ts";

const plot: LanesPlot = {
  kind: "lanes",
  title: "A run",
  x: { label: "Time", unit: "s", include: [0, 40] },
  kinds: [{ name: "fault", status: "fail" }, { name: "effect" }, { name: "recovery" }],
  lanes: [
    {
      name: "rank 1",
      spans: [{ from: 10, to: 20, kind: 0, label: "killed" }],
      marks: [{ at: 11, kind: 1, label: "the process is gone" }],
    },
    { name: "job", spans: [{ from: 11, to: null, kind: 2, label: "never back" }] },
  ],
  curve: {
    y: { label: "Units a second", include: [0] },
    series: [{ name: "this run", x: [0, 20, 40], y: [8, 0, 8] }],
  },
};

function bars(svg: string) {
  return elementsOf(parseSvg(svg)).filter(
    ({ name, attributes }) =>
      name === "rect" && attributes["rx"] === "3" && attributes["class"]?.includes("tp-bar"),
  );
}

describe("renderLanes", () => {
  it("draws a stretch as long as it took, on the axis it shares with the curve", () => {
    const [first, second] = bars(renderLanes(plot)).map(({ attributes }) => ({
      x: Number(attributes["x"]),
      width: Number(attributes["width"]),
    }));
    // 10 of 40 seconds, and from 11 to the end.
    expect((second?.width ?? 0) / (first?.width ?? 1)).toBeCloseTo(2.9, 2);
  });

  it("leaves the edge of what has not ended open", () => {
    const classes = bars(renderLanes(plot)).map(({ attributes }) => attributes["class"] ?? "");
    expect(classes[0]).not.toContain("tp-dashed");
    expect(classes[1]).toContain("tp-dashed");
  });

  it("says in words what a reader without the picture needs", () => {
    const text = textOf(parseSvg(renderLanes(plot)));
    expect(text).toContain("rank 1: killed from 10 s to 20 s");
    expect(text).toContain("job: never back from 11 s to the end");
    expect(text).toContain("the process is gone");
  });

  it("names kinds in the legend that some lane has, and no others, in the same colours", () => {
    const more = { ...plot, kinds: [{ name: "never seen" }, ...plot.kinds, { name: "nor this" }] };
    const lanes = plot.lanes.map((lane) => ({
      ...lane,
      spans: lane.spans.map((span) => ({ ...span, kind: span.kind + 1 })),
      marks: lane.marks?.map((mark) => ({ ...mark, kind: mark.kind + 1 })) ?? [],
    }));
    const svg = renderLanes({ ...more, lanes });
    const texts = elementsOf(parseSvg(svg)).flatMap((one) =>
      one.name === "text" ? [textOf(one.children)] : [],
    );
    for (const { name } of plot.kinds) expect(texts).toContain(name);
    expect(texts).not.toContain("never seen");
    expect(texts).not.toContain("nor this");
    const fills = (of: string) =>
      elementsOf(parseSvg(svg))
        .filter(({ attributes }) => attributes["class"]?.includes("tp-bar"))
        .map(({ attributes }) => attributes["fill"])
        .filter((fill) => fill === of).length;
    // Each stretch has the fill of its name's swatch.
    expect(bars(svg).map(({ attributes }) => fills(attributes["fill"] ?? ""))).toEqual([2, 2]);
  });

  it("has a sign of a moment in the legend for what only are moments", () => {
    const swatches = (svg: string) =>
      elementsOf(parseSvg(svg)).filter(({ attributes }) =>
        attributes["class"]?.includes("tp-open"),
      );
    // The mark and its place in the legend.
    expect(swatches(renderLanes({ ...plot, lanes: plot.lanes.slice(0, 1) })).length).toBe(2);
  });

  it("says so when nothing happened, and draws the lanes without a curve when there is none", () => {
    const { curve: _, ...rest } = plot;
    expect(textOf(parseSvg(renderLanes({ ...rest, lanes: [] })))).toContain("No data");
    expect(textOf(parseSvg(renderLanes(rest)))).not.toContain("Units a second");
  });

  it("counts the lanes and stretches that it leaves out", () => {
    const spans = Array.from({ length: 450 }, (_, at) => ({
      from: at,
      to: at + 1,
      kind: 0,
      label: "",
    }));
    const lanes = Array.from({ length: 26 }, (_, at) => ({
      name: `lane ${at}`,
      spans: at === 0 ? spans : [],
    }));
    const text = textOf(parseSvg(renderLanes({ ...plot, lanes })));
    expect(text).toContain("2 more lanes not drawn");
    expect(text).toContain("50 at the end of long lanes not drawn");
  });
});
