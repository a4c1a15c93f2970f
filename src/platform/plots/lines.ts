import { axisTitle, drawXAxis, drawYAxis, xAxisPx, yAxisWidth } from "./axes.ts";
import type { LinePoint } from "./decimate.ts";
import { createFrame, emptyBody, paddingPx, plotWidth } from "./frame.ts";
import { type DrawnSeries, directLabels, drawSeries } from "./line-series.ts";
import { hatchPattern, seriesMax } from "./marks.ts";
import { fragment, type Markup } from "./markup.ts";
import type { LineSeries, LinesPlot, RenderOptions } from "./plot.ts";
import { drawableReferences, drawBands, drawReferences, layOutTopLabels } from "./references.ts";
import { isDrawable, type Scale, scaleFor } from "./scale.ts";
import { textWidth, widestText } from "./text-size.ts";
import { counted, formatQuantity } from "./units.ts";

const labelWidthPxMax = 170;

/** Lines over x, one for each series, with gaps where values are missing. */
export function renderLines(plot: LinesPlot, options: RenderOptions = {}): string {
  const prepared = plot.series.slice(0, seriesMax).map((series) => prepare(series, plot));
  const references = drawableReferences(
    { lines: plot.references ?? [], bands: plot.bands ?? [] },
    plot.x.scale ?? "linear",
    plot.y.scale ?? "linear",
  );
  const { x, y } = scalesOf(plot, prepared, references);
  const widthPx = plotWidth(plot);
  const drawn = prepared.map((series) => drawnSeries(series, x, widthPx));
  const empty = drawn.every((series) => series.valueCount === 0);
  const leftPx = paddingPx + yAxisWidth(y, widthPx * 0.25);
  const rightPx = rightMargin(drawn, x, widthPx);
  const topLabels = layOutTopLabels(references, { x, left: leftPx, right: widthPx - rightPx });
  const frame = createFrame({
    plot,
    options,
    subtitle: axisTitle(plot.y),
    summary: summaryOf(plot, prepared),
    leftPx,
    rightPx,
    labelsPx: topLabels.heightPx,
    axisPx: xAxisPx,
    notes: notesOf(plot, prepared, drawn),
  });
  const { area } = frame;
  if (empty) {
    return frame.render(emptyBody(area, `${countValues(plot)}, none that can be drawn`));
  }
  const drawing = { area, x, y, hatch: frame.id("hatch") };
  const body: Markup = fragment(
    drawBands(references.bands, drawing),
    drawYAxis(y, area, paddingPx),
    drawXAxis(x, area, plot.x),
    ...drawn.map((series, index) =>
      drawSeries(series, index, { ...drawing, alone: drawn.length === 1 }),
    ),
    drawReferences(references, drawing),
    topLabels.draw(area.top),
    directLabels(drawn, drawing, {
      left: area.right + labelGapPx,
      widthPx: frame.widthPx - area.right - labelGapPx - 4,
    }),
  );
  return frame.render(body, hatchPattern(frame.id("hatch")));
}

const labelGapPx = 14;

interface PreparedSeries {
  readonly name: string;
  readonly points: readonly LinePoint[];
  /** Points that no axis of this plot can show. */
  readonly undrawable: number;
}

/** Points in order of x, with null for everything that is not there or cannot be shown. */
function prepare(series: LineSeries, plot: LinesPlot): PreparedSeries {
  const xKind = plot.x.scale ?? "linear";
  const yKind = plot.y.scale ?? "linear";
  const points: LinePoint[] = [];
  let undrawable = 0;
  let sorted = true;
  for (const [index, x] of series.x.entries()) {
    const given = series.y[index] ?? null;
    const y = isDrawable(given, yKind) ? given : null;
    if (!isDrawable(x, xKind)) {
      undrawable++;
      continue;
    }
    if (y === null && given !== null) undrawable++;
    if (x < (points.at(-1)?.x ?? x)) sorted = false;
    const low = series.low?.[index];
    const high = series.high?.[index];
    const banded = isDrawable(low, yKind) && isDrawable(high, yKind);
    points.push({ x, y, low: banded ? low : null, high: banded ? high : null });
  }
  return {
    name: series.name,
    points: sorted ? points : points.toSorted((a, b) => a.x - b.x),
    undrawable,
  };
}

function scalesOf(
  plot: LinesPlot,
  prepared: readonly PreparedSeries[],
  references: ReturnType<typeof drawableReferences>,
): { x: Scale; y: Scale } {
  const fixed = (axis: "x" | "y") => [
    ...(plot[axis].include ?? []),
    ...references.lines.filter((line) => line.axis === axis).map(({ value }) => value),
    ...references.bands.filter((band) => band.axis === axis).flatMap(({ from, to }) => [from, to]),
  ];
  function* values(axis: "x" | "y") {
    yield* fixed(axis);
    for (const { points } of prepared) {
      for (const point of points) {
        if (axis === "x") yield point.x;
        else yield* [point.y, point.low, point.high];
      }
    }
  }
  const xTicks = Math.max(3, Math.floor(plotWidth(plot) / 100));
  return {
    x: scaleFor(values("x"), {
      kind: plot.x.scale ?? "linear",
      unit: plot.x.unit ?? "",
      ticksWanted: xTicks,
      ticks: plot.x.ticks,
    }),
    y: scaleFor(values("y"), {
      kind: plot.y.scale ?? "linear",
      unit: plot.y.unit ?? "",
      ticksWanted: 5,
      ticks: plot.y.ticks,
    }),
  };
}

function drawnSeries(series: PreparedSeries, x: Scale, widthPx: number): DrawnSeries {
  return {
    name: series.name,
    points: series.points,
    valueCount: series.points.reduce((count, { y }) => count + (y === null ? 0 : 1), 0),
    columnOf: (value) => x.position(value) * widthPx,
    columnsMax: widthPx,
  };
}

/** Room for the names of the series at the end of their lines, or for half of the last tick. */
function rightMargin(drawn: readonly DrawnSeries[], x: Scale, widthPx: number): number {
  const lastTick = textWidth(x.ticks.at(-1)?.label ?? "", 12) / 2 + 6;
  const named = drawn.filter((series) => series.valueCount > 0);
  const widest = widestText(
    named.map(({ name }) => name),
    12,
  );
  const labels = named.length === 0 ? 0 : Math.min(widest, labelWidthPxMax) + labelGapPx + 28;
  return Math.min(Math.max(lastTick, labels, paddingPx), widthPx * 0.4);
}

function notesOf(
  plot: LinesPlot,
  prepared: readonly PreparedSeries[],
  drawn: readonly DrawnSeries[],
): string[] {
  const notes: string[] = [];
  const decimated = drawn.filter((series) => series.points.length > 2 * series.columnsMax);
  if (decimated.length > 0) {
    const points = decimated.reduce((sum, series) => sum + series.points.length, 0);
    notes.push(
      `${counted(points, "point")} drawn as the smallest and largest of each column of pixels.`,
    );
  }
  const undrawable = prepared.reduce((sum, series) => sum + series.undrawable, 0);
  if (undrawable > 0) {
    const why = plot.y.scale === "log" || plot.x.scale === "log" ? "not above zero, or " : "";
    notes.push(
      `${counted(undrawable, "value")} could not be drawn (${why}not finite) and left as a gap.`,
    );
  }
  const hidden = plot.series.length - seriesMax;
  if (hidden > 0) notes.push(`${hidden} more series not drawn.`);
  return notes;
}

function countValues(plot: LinesPlot): string {
  return counted(
    plot.series.reduce((sum, series) => sum + series.y.length, 0),
    "value",
  );
}

/** What a reader without the picture needs: for each line its range. */
function summaryOf(plot: LinesPlot, prepared: readonly PreparedSeries[]): string {
  const unit = plot.y.unit ?? "";
  const series = prepared.map(({ name, points }) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const { y } of points) {
      if (y === null) continue;
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
    if (low > high) return `${name} has no values`;
    return `${name} from ${formatQuantity(low, unit)} to ${formatQuantity(high, unit)}`;
  });
  return `Line chart of ${plot.y.label} over ${plot.x.label}: ${series.join("; ") || "no series"}.`;
}
