import { axisTitle, drawXAxis, drawYAxis, xAxisPx, yAxisWidth } from "./axes.ts";
import type { LinePoint } from "./decimate.ts";
import { type Area, areaHeight, createFrame, emptyBody, paddingPx, plotWidth } from "./frame.ts";
import { diamond, drawLane, kindClass, lanePx } from "./lane-marks.ts";
import { layOutLegend } from "./legend.ts";
import { type DrawnSeries, directLabels, drawSeries } from "./line-series.ts";
import { fillPattern, seriesMax } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { LanesPlot, LineSeries, RenderOptions } from "./plot.ts";
import { isDrawable, type Scale, scaleFor } from "./scale.ts";
import { textWidth, widestText } from "./text-size.ts";
import { counted, formatQuantity } from "./units.ts";

const lanesMax = 24;
const spansMax = 400;
const curvesMax = 3;
const gapPx = 30;
const namesPxMax = 200;
const labelGapPx = 14;
const labelWidthPxMax = 120;

/** Lanes of what happened when, and under them a curve over the same time. */
export function renderLanes(plot: LanesPlot, options: RenderOptions = {}): string {
  const lanes = plot.lanes.slice(0, lanesMax).map(thinned);
  const kinds = plot.kinds.slice(0, seriesMax);
  const curves = (plot.curve?.series ?? []).slice(0, curvesMax).map(pointsOf);
  const hasCurve = curves.some(({ valueCount }) => valueCount > 0);
  const { x, y } = scalesOf(plot, curves);
  const widthPx = plotWidth(plot);
  const leftPx = leftMargin(lanes, { y, hasCurve, widthPx });
  const rightPx = hasCurve ? rightMargin(curves, widthPx) : lastTickPx(x);
  const shown = kindsShown(lanes, kinds);
  const legend = layOutLegend(
    shown.map(({ name }) => name),
    widthPx - 2 * paddingPx,
  );
  const lanesPx = Math.max(1, lanes.length) * lanePx;
  const curvePx = hasCurve ? gapPx + areaHeight(plot) : 0;
  const frame = createFrame({
    plot: { ...plot, areaHeightPx: Math.max(80, lanesPx + curvePx) },
    options,
    subtitle: "",
    summary: summaryOf(plot),
    leftPx,
    rightPx,
    axisPx: xAxisPx,
    legendRows: legend.rows,
    notes: notesOf(plot),
  });
  const { area } = frame;
  if (!hasCurve && lanes.every(({ spans, marks }) => spans.length + (marks?.length ?? 0) === 0)) {
    return frame.render(emptyBody(area, "Nothing happened that a lane could show"));
  }
  const fillId = (kind: number) => frame.id(`fill-${knownKind(kinds, kind)}`);
  const upper = partOf(area, area.top, area.top + lanesPx);
  const body = fragment(
    legend.draw({ left: paddingPx, top: frame.legendTop }, (at, left, top) => {
      const index = kinds.indexOf(shown[at] as Kind);
      return swatch(plot, index, { left, top, fill: fillId(index) });
    }),
    verticals(x, upper),
    ...lanes.map((lane, row) => drawLane(lane, row, { area: upper, x, kinds, fillId })),
    hasCurve
      ? drawCurve(plot, curves, {
          area: partOf(area, area.bottom - areaHeight(plot), area.bottom),
          x,
          y,
          widthPx,
        })
      : undefined,
    drawXAxis(x, area, plot.x),
  );
  const patterns = kinds.map((_, index) =>
    fillPattern(index, frame.id(`fill-${index}`), kindClass(kinds, index)),
  );
  return frame.render(body, fragment(...patterns));
}

type Kind = LanesPlot["kinds"][number];

/** What is beyond the last kind, or the most there may be, is drawn as the last. */
function knownKind(kinds: readonly Kind[], kind: number): number {
  return Math.min(kinds.length - 1, Math.max(0, kind));
}

/** Those that some lane has; a legend does not explain what nobody sees. Each keeps its colour. */
function kindsShown(lanes: LanesPlot["lanes"], kinds: readonly Kind[]): readonly Kind[] {
  const used = new Set(
    lanes.flatMap(({ spans, marks = [] }) =>
      [...spans, ...marks].map(({ kind }) => knownKind(kinds, kind)),
    ),
  );
  return kinds.filter((_, index) => used.has(index));
}

/** Kinds that only ever are moments have the sign of a moment in the legend. */
function swatch(
  { lanes, kinds }: LanesPlot,
  index: number,
  place: { readonly left: number; readonly top: number; readonly fill: string },
): Markup {
  const { left, top, fill } = place;
  const isSpan = lanes.some(({ spans }) => spans.some(({ kind }) => kind === index));
  const isMark = lanes.some(({ marks }) => marks?.some(({ kind }) => kind === index));
  const colour = kindClass(kinds, index);
  if (isMark && !isSpan) return diamond(colour, left + 8, top + 6);
  return element("rect", {
    class: `${colour} tp-bar`,
    x: left,
    y: top,
    width: 14,
    height: 11,
    fill: `url(#${fill})`,
  });
}

function partOf(area: Area, top: number, bottom: number): Area {
  return { ...area, top, bottom, height: bottom - top };
}

function verticals(x: Scale, area: Area): Markup {
  return fragment(
    ...x.ticks.map(({ value }) => {
      const at = area.left + x.position(value) * area.width;
      return element("line", { class: "tp-grid", x1: at, x2: at, y1: area.top, y2: area.bottom });
    }),
  );
}

function drawCurve(
  plot: LanesPlot,
  curves: readonly Curve[],
  drawing: { readonly area: Area; readonly x: Scale; readonly y: Scale; readonly widthPx: number },
): Markup {
  const { area, x, y, widthPx } = drawing;
  const drawn: DrawnSeries[] = curves.map((curve) => ({
    ...curve,
    columnOf: (value) => x.position(value) * widthPx,
    columnsMax: widthPx,
  }));
  return fragment(
    element(
      "text",
      { class: "tp-sub", x: area.left, y: area.top - 8 },
      axisTitle({ label: "", ...plot.curve?.y }),
    ),
    drawYAxis(y, area, paddingPx),
    verticals(x, area),
    ...drawn.map((series, index) => drawSeries(series, index, { area, x, y, alone: true })),
    directLabels(drawn, drawing, {
      left: area.right + labelGapPx,
      widthPx: widthPx - area.right - labelGapPx - 4,
    }),
  );
}

interface Curve {
  readonly name: string;
  readonly points: readonly LinePoint[];
  readonly valueCount: number;
}

function pointsOf(series: LineSeries): Curve {
  const points = series.x.flatMap((x, index): LinePoint[] => {
    const y = series.y[index] ?? null;
    if (!isDrawable(x, "linear")) return [];
    return [{ x, y: isDrawable(y, "linear") ? y : null, low: null, high: null }];
  });
  return {
    name: series.name,
    points: points.toSorted((a, b) => a.x - b.x),
    valueCount: points.filter(({ y }) => y !== null).length,
  };
}

/** The first of very many; a note says how many are missing. */
function thinned(lane: LanesPlot["lanes"][number]): LanesPlot["lanes"][number] {
  return {
    ...lane,
    spans: lane.spans.slice(0, spansMax),
    ...(lane.marks === undefined ? {} : { marks: lane.marks.slice(0, spansMax) }),
  };
}

function scalesOf(plot: LanesPlot, curves: readonly Curve[]): { x: Scale; y: Scale } {
  function* times() {
    yield* plot.x.include ?? [];
    for (const { spans, marks } of plot.lanes) {
      for (const { from, to } of spans) yield* [from, to];
      for (const mark of marks ?? []) yield mark.at;
    }
    for (const { points } of curves) for (const { x } of points) yield x;
  }
  function* values() {
    yield* plot.curve?.y.include ?? [];
    for (const { points } of curves) for (const { y } of points) yield y;
  }
  const ticksWanted = Math.max(3, Math.floor(plotWidth(plot) / 100));
  return {
    x: scaleFor(times(), { kind: "linear", unit: plot.x.unit ?? "", ticksWanted }),
    y: scaleFor(values(), { kind: "linear", unit: plot.curve?.y.unit ?? "", ticksWanted: 3 }),
  };
}

function leftMargin(
  lanes: LanesPlot["lanes"],
  about: { readonly y: Scale; readonly hasCurve: boolean; readonly widthPx: number },
): number {
  const { y, hasCurve, widthPx } = about;
  const names = Math.min(
    widestText(
      lanes.map(({ name }) => name),
      12,
    ) + 12,
    namesPxMax,
    widthPx * 0.35,
  );
  return paddingPx + Math.max(names, hasCurve ? yAxisWidth(y, widthPx * 0.25) : 0);
}

function rightMargin(curves: readonly Curve[], widthPx: number): number {
  const widest = widestText(
    curves.map(({ name }) => name),
    12,
  );
  return Math.min(Math.min(widest, labelWidthPxMax) + labelGapPx + 28, widthPx * 0.3);
}

function lastTickPx(x: Scale): number {
  return Math.max(paddingPx, Math.min(60, textWidth(x.ticks.at(-1)?.label ?? "", 12) / 2 + 6));
}

function notesOf(plot: LanesPlot): string[] {
  const notes: string[] = [];
  const hidden = plot.lanes.length - lanesMax;
  if (hidden > 0) notes.push(`${counted(hidden, "more lane")} not drawn.`);
  const lost = plot.lanes
    .slice(0, lanesMax)
    .reduce((sum, { spans }) => sum + Math.max(0, spans.length - spansMax), 0);
  if (lost > 0) notes.push(`${lost} at the end of long lanes not drawn.`);
  if (plot.kinds.length > seriesMax) notes.push("Not every kind has a colour of its own.");
  return notes;
}

/** What a reader without the picture needs: for each lane what it holds, in order. */
function summaryOf(plot: LanesPlot): string {
  const unit = plot.x.unit ?? "";
  const lanes = plot.lanes.slice(0, 12).map(({ name, spans }) => {
    const parts = spans
      .slice(0, 8)
      .map(
        ({ label, from, to }) =>
          `${label} from ${formatQuantity(from, unit)} to ${to === null ? "the end" : formatQuantity(to, unit)}`,
      );
    const rest = spans.length > 8 ? `, and ${spans.length - 8} more` : "";
    return `${name}: ${parts.join(", ") || "nothing"}${rest}`;
  });
  return `Time line over ${plot.x.label}. ${lanes.join(". ") || "No lanes"}.`;
}
