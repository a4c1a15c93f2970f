import type {
  BoundView,
  FigureHistoryView,
  NodeDetailView,
} from "../../../../src/control/api/nodes.ts";
import { formatNumber } from "../../format.ts";
import type { PlotBand, PlotMark, PlotSeries } from "../../ui/index.ts";

/** A figure over time as a plot takes it. */
export interface HistoryPlot {
  /** Seconds since 1970. */
  readonly x: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly bands: readonly PlotBand[];
  readonly marks: readonly PlotMark[];
}

const eventsMax = 12;

/** The medians with their verdicts, the spread of the samples, and every bound drawn in. */
export function historyPlot(
  figure: FigureHistoryView,
  events: NodeDetailView["events"] = [],
): HistoryPlot {
  const { points, bounds } = figure;
  return {
    x: points.map(({ at }) => Date.parse(at) / 1000),
    series: [
      {
        label: "median",
        values: points.map(({ median }) => median),
        draw: "both",
        tone: "ink-2",
        pointTones: points.map(({ verdict }) => verdict ?? "untested"),
      },
      {
        label: "worst tenth",
        values: points.map((point) => tailOf(point, figure)),
        dashed: true,
        color: 0,
      },
    ],
    bands: [...badBands(bounds), ...usualBands(bounds)],
    marks: [...boundMarks(bounds), ...eventMarks(figure, events)],
  };
}

/** What was found of the slow samples: a score, which has no place among the values. */
export function tailSentence({ tail, bounds }: FigureHistoryView): string {
  if (tail === null) return "";
  const isDrawn = bounds.some(({ rule }) => rule === "tail");
  const where = isDrawn
    ? "The line “99 % of samples” is where they begin, measured from the middle of the newest run."
    : "Where they begin is not drawn: too few samples of others are at hand.";
  return `Slow samples: score ${formatNumber(tail.score)}, usual is at most ${formatNumber(tail.scoreMax)} (${tail.cohort}). It says how unusual it is that so many samples are slower than 99 % usually are. ${where}`;
}

function tailOf(
  point: FigureHistoryView["points"][number],
  { higherIsBetter }: FigureHistoryView,
): number {
  return higherIsBetter ? point.low : point.high;
}

/** Where a value fails. A warning is a line: two areas of colour would hide the points. */
function badBands(bounds: readonly BoundView[]): readonly PlotBand[] {
  return bounds
    .filter(({ level }) => level === "fail")
    .map(({ value, side, rule }) => ({
      from: side === "below" ? null : value,
      to: side === "below" ? value : null,
      label: rule,
      tone: "fail",
    }));
}

/** What is usual lies between two values of the same rule. */
function usualBands(bounds: readonly BoundView[]): readonly PlotBand[] {
  const usual = bounds.filter(({ level }) => level === "usual");
  const rules = [...new Set(usual.map(({ rule }) => rule))];
  return rules.flatMap((rule) => {
    const values = usual.filter((one) => one.rule === rule).map(({ value }) => value);
    if (values.length < 2) return [];
    const [from, to] = [Math.min(...values), Math.max(...values)];
    return [{ from, to, label: `usual (${rule})`, tone: "pass" as const }];
  });
}

function boundMarks(bounds: readonly BoundView[]): readonly PlotMark[] {
  const usual = bounds.filter(({ level }) => level === "usual");
  return bounds.flatMap(({ rule, level, value }): readonly PlotMark[] => {
    if (level === "fail") return [{ value, label: `${rule}: fail`, tone: "fail" }];
    if (level === "warn") return [{ value, label: `${rule}: warn`, tone: "warn", dashed: true }];
    if (rule === "tail") {
      return [{ value, label: "99 % of samples", tone: "warn", dashed: true }];
    }
    const isAlone = usual.filter((one) => one.rule === rule).length === 1;
    return isAlone ? [{ value, label: `usual (${rule})`, tone: "pass", dashed: true }] : [];
  });
}

/** Errors of the kernel while this was measured: what a dip may come from. */
function eventMarks(
  { points }: FigureHistoryView,
  events: NodeDetailView["events"],
): readonly PlotMark[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [fromMs, toMs] = [Date.parse(first.at), Date.parse(last.at)];
  return events
    .filter(
      ({ kind, at }) => kind === "kernel" && Date.parse(at) >= fromMs && Date.parse(at) <= toMs,
    )
    .slice(0, eventsMax)
    .map(({ at }, index) => ({
      at: Date.parse(at) / 1000,
      // One word for all of them: beside each other they could not be read.
      label: index === 0 ? "kernel errors" : "",
      tone: "suspect",
      dashed: true,
    }));
}
