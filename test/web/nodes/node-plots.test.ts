import { describe, expect, it } from "vitest";
import type { FigureHistoryView } from "../../../src/control/api/nodes.ts";
import { isAbout } from "../../../web/src/pages/fleet/is-about.ts";
import { figuresByCheck } from "../../../web/src/pages/nodes/figure-order.ts";
import { historyPlot, tailSentence } from "../../../web/src/pages/nodes/history-plot.ts";
import { siblingPlace } from "../../../web/src/pages/nodes/siblings.ts";

function figureOf(change: Partial<FigureHistoryView> = {}): FigureHistoryView {
  return {
    check: "nccl-loopback",
    figure: "busbw",
    unit: "GB/s",
    higherIsBetter: true,
    points: [
      point("2026-03-01T00:00:00.000Z", 360, "pass"),
      point("2026-03-02T00:00:00.000Z", 310, "fail"),
      point("2026-03-03T00:00:00.000Z", 355, null),
    ],
    bounds: [],
    tail: null,
    siblings: { others: 0, own: null, better: 0, worse: 0, median: null, dots: [] },
    ...change,
  };
}

function point(at: string, median: number, verdict: "pass" | "fail" | null) {
  return {
    runId: `run-${at}`,
    at,
    median,
    low: median - 10,
    high: median + 10,
    samples: 9,
    verdict,
  };
}

const cohort = "24 nodes";

describe("a figure over time", () => {
  it("has a point in the colour of its verdict; without one it is not a pass", () => {
    const [medians, tail] = historyPlot(figureOf()).series;
    expect(medians?.pointTones).toEqual(["pass", "fail", "untested"]);
    expect(medians?.values).toEqual([360, 310, 355]);
    expect(tail?.values).toEqual([350, 300, 345]);
  });

  it("shows the other tail where lower is better", () => {
    expect(historyPlot(figureOf({ higherIsBetter: false })).series[1]?.values).toEqual([
      370, 320, 365,
    ]);
  });

  it("draws floors as areas on their bad side, warnings as lines, what is usual as a band", () => {
    const { bands, marks } = historyPlot(
      figureOf({
        bounds: [
          { rule: "floor", level: "fail", value: 340, side: "below", cohort },
          { rule: "ceiling", level: "fail", value: 900, side: "above", cohort },
          { rule: "band", level: "warn", value: 350, side: "below", cohort },
          { rule: "siblings", level: "usual", value: 365, side: "above", cohort },
          { rule: "siblings", level: "usual", value: 352, side: "below", cohort },
          { rule: "baseline", level: "usual", value: 358, side: "below", cohort },
        ],
      }),
    );
    expect(bands).toEqual([
      { from: null, to: 340, label: "floor", tone: "fail" },
      { from: 900, to: null, label: "ceiling", tone: "fail" },
      { from: 352, to: 365, label: "usual (siblings)", tone: "pass" },
    ]);
    expect(marks.map(({ label, value }) => [label, value])).toEqual([
      ["floor: fail", 340],
      ["ceiling: fail", 900],
      ["band: warn", 350],
      ["usual (baseline)", 358],
    ]);
  });

  it("has a line where slow samples begin, and the score of a tail in words only", () => {
    const tail = { score: 4.12, scoreMax: 2.5, cohort };
    const begin = { rule: "tail", level: "usual", value: 352, side: "below", cohort } as const;
    const drawn = figureOf({ tail, bounds: [begin] });
    expect(historyPlot(drawn).marks.map(({ label, value }) => [label, value])).toEqual([
      ["99 % of samples", 352],
    ]);
    expect(tailSentence(drawn)).toContain("score 4.12, usual is at most 2.5 (24 nodes)");
    expect(tailSentence(drawn)).toContain("is where they begin");
    expect(tailSentence(figureOf({ tail }))).toContain("is not drawn");
    expect(historyPlot(figureOf({ tail })).marks).toEqual([]);
    expect(tailSentence(figureOf())).toBe("");
  });

  it("marks errors of the kernel in its time, and nothing else that happened", () => {
    const event = (at: string, kind: string) => ({ at, kind, text: "", details: {} });
    const { marks } = historyPlot(figureOf(), [
      event("2026-03-02T12:00:00.000Z", "kernel"),
      event("2026-03-02T13:00:00.000Z", "closed"),
      event("2026-04-01T00:00:00.000Z", "kernel"),
    ]);
    expect(marks.map(({ at }) => at)).toEqual([Date.parse("2026-03-02T12:00:00.000Z") / 1000]);
    expect(
      historyPlot(figureOf({ points: [] }), [event("2026-03-02T12:00:00.000Z", "kernel")]).marks,
    ).toEqual([]);
  });
});

describe("a node among its siblings", () => {
  const dots = [
    { node: "a", median: 100, isSelf: false },
    { node: "b", median: 110, isSelf: true },
    { node: "c", median: 120, isSelf: false },
  ];
  const middle: FigureHistoryView["siblings"] = {
    others: 2,
    own: 110,
    better: 1,
    worse: 1,
    median: 110,
    dots,
  };
  const placeOf = (change: Partial<FigureHistoryView["siblings"]>) =>
    siblingPlace(figureOf({ siblings: { ...middle, ...change } }));

  it("has a place among all of them, the best first", () => {
    expect(placeOf({})?.sentence).toBe("Place 2 of 3, the best first.");
    expect(placeOf({ better: 2, worse: 0 })?.sentence).toBe("Worst of 3.");
    expect(placeOf({ better: 0, worse: 2 })?.sentence).toBe("Best of 3.");
    expect(placeOf({ better: 0, worse: 0 })?.sentence).toBe("Equal to all 2 others.");
  });

  it("is compared with the middle of the others only", () => {
    expect(placeOf({})).toMatchObject({ usual: 110, low: 100, high: 120 });
    const alone = { others: 0, better: 0, worse: 0, median: null, dots: dots.slice(1, 2) };
    expect(placeOf(alone)).toMatchObject({
      usual: undefined,
      sentence: "No other node may be compared with it.",
    });
    expect(siblingPlace(figureOf())).toBeUndefined();
  });

  it("says when its newest run has no value", () => {
    const others = dots.filter(({ isSelf }) => !isSelf);
    expect(placeOf({ own: null, better: 0, worse: 0, dots: others })?.sentence).toBe(
      "The newest run of this node has no value; 2 others have one.",
    );
  });

  it("says that only some are drawn, and nothing where all are", () => {
    const place = placeOf({ others: 9999, better: 41, worse: 9958 });
    expect(place?.sentence).toBe("Place 42 of 10,000, the best first.");
    expect(place?.sample).toBe(
      "Place and middle are over all of them; 2 others are drawn, evenly from the lowest to the highest.",
    );
    expect(placeOf({})?.sample).toBeUndefined();
  });
});

describe("events", () => {
  it("are about a cluster and, where they name one, about a node", () => {
    expect(isAbout({ cluster: "a" }, "a", "n1")).toBe(true);
    expect(isAbout({ cluster: "a", node: "n1" }, "a", "n1")).toBe(true);
    expect(isAbout({ cluster: "a", node: "n2" }, "a", "n1")).toBe(false);
    expect(isAbout({ cluster: "b" }, "a")).toBe(false);
    expect(isAbout("a", "a")).toBe(false);
  });
});

describe("the order of figures", () => {
  const verdict = (check: string, standing: "pass" | "fail", metric?: string) => ({
    check,
    standing,
    sentence: "",
    at: null,
    runId: null,
    findings:
      metric === undefined
        ? []
        : [{ metric, rule: "floor", value: 1, bound: 2, unit: null, cohort }],
    hardFacts: [],
    ageDays: null,
    isStale: false,
  });
  const figures = [
    figureOf({ check: "a", figure: "x" }),
    figureOf({ check: "b", figure: "x" }),
    figureOf({ check: "b", figure: "y" }),
  ];

  it("has the worst check first, and in it what its findings are about", () => {
    const groups = figuresByCheck(figures, [verdict("a", "pass"), verdict("b", "fail", "y")]);
    expect(
      groups.map(({ check, figures }) => [check, figures.map(({ figure }) => figure)]),
    ).toEqual([
      ["b", ["y", "x"]],
      ["a", ["x"]],
    ]);
  });

  it("keeps figures of checks that nobody judged", () => {
    expect(figuresByCheck(figures, []).map(({ check }) => check)).toEqual(["a", "b"]);
  });
});
