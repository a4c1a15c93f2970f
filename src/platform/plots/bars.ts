import { drawYAxis, yAxisWidth } from "./axes.ts";
import { type Bars, barClass, baseLine, drawBars } from "./bar-marks.ts";
import { categoryAxis } from "./category-axis.ts";
import { createFrame, emptyBody, paddingPx, plotWidth } from "./frame.ts";
import { layOutLegend } from "./legend.ts";
import { fillPattern, hatchPattern, seriesMax } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { BarsPlot, RenderOptions } from "./plot.ts";
import { drawableReferences, drawReferences } from "./references.ts";
import { isDrawable, scaleFor } from "./scale.ts";
import { drawStacks, heightsOf } from "./stacked-bars.ts";
import { counted, formatQuantity } from "./units.ts";

const categoriesMax = 120;

/** Bars from zero, in groups by category, with error bars where the series brings them. */
export function renderBars(plot: BarsPlot, options: RenderOptions = {}): string {
  const categories = plot.categories.slice(0, categoriesMax);
  const series = plot.series.slice(0, seriesMax);
  const references = drawableReferences(
    { lines: (plot.references ?? []).map((line) => ({ ...line, axis: "y" as const })), bands: [] },
    "linear",
    "linear",
  );
  const y = scaleFor(
    valuesOf(
      plot,
      references.lines.map(({ value }) => value),
    ),
    {
      kind: "linear",
      unit: plot.y.unit ?? "",
      ticksWanted: 5,
      ticks: plot.y.ticks,
    },
  );
  const widthPx = plotWidth(plot);
  const leftPx = paddingPx + yAxisWidth(y, widthPx * 0.25);
  const legend = layOutLegend(
    series.length > 1 ? series.map(({ name }) => name) : [],
    widthPx - 2 * paddingPx,
  );
  const slotPx = (widthPx - leftPx - paddingPx) / Math.max(1, categories.length);
  const axis = categoryAxis({ names: categories, slotPx, title: "" });
  const frame = createFrame({
    plot,
    options,
    subtitle: plot.y.label,
    summary: summaryOf(plot),
    leftPx,
    rightPx: paddingPx,
    axisPx: axis.heightPx,
    legendRows: legend.rows,
    notes: notesOf(plot),
  });
  const drawable = series.some(({ values }) =>
    values.slice(0, categories.length).some((value) => isDrawable(value, "linear")),
  );
  if (!drawable)
    return frame.render(emptyBody(frame.area, "No category has a value that can be drawn"));
  const fillId = (index: number) => frame.id(`fill-${index}`);
  const bars: Bars = { categories, series, y, area: frame.area, fillId };
  const body = fragment(
    legend.draw({ left: paddingPx, top: frame.legendTop }, (index, x, top) =>
      swatch(barClass(series, index), { x, y: top }, fillId(index)),
    ),
    drawYAxis(y, frame.area, paddingPx),
    plot.stacked === true ? drawStacks(bars) : drawBars(bars),
    baseLine(bars),
    axis.draw(frame.area),
    drawReferences(references, { area: frame.area, x: y, y, hatch: frame.id("hatch") }),
  );
  const patterns = series.map((_, index) =>
    fillPattern(index, fillId(index), barClass(series, index)),
  );
  return frame.render(body, fragment(...patterns, hatchPattern(frame.id("hatch"))));
}

function* valuesOf(plot: BarsPlot, references: readonly number[]) {
  yield 0;
  yield* references;
  yield* plot.y.include ?? [];
  // A little more than the height, so that its label has a place between bar and edge.
  if (plot.stacked === true) yield* heightsOf(plot).map((height) => height * 1.08);
  for (const { values, low, high } of plot.series) {
    for (const value of values) yield value === null ? null : value * 1.08;
    yield* low ?? [];
    yield* high ?? [];
  }
}

function swatch(
  colour: string,
  at: { readonly x: number; readonly y: number },
  fill: string,
): Markup {
  return element("rect", {
    class: `${colour} tp-bar`,
    ...at,
    width: 14,
    height: 11,
    fill: `url(#${fill})`,
  });
}

function notesOf(plot: BarsPlot): string[] {
  const notes: string[] = [];
  const hidden = plot.categories.length - categoriesMax;
  if (hidden > 0) notes.push(`The last ${hidden} of the categories are not drawn.`);
  const hiddenSeries = plot.series.length - seriesMax;
  if (hiddenSeries > 0) notes.push(`${hiddenSeries} more series not drawn.`);
  const missing = plot.series
    .slice(0, seriesMax)
    .flatMap(({ values }) => plot.categories.map((_, index) => values[index]))
    .filter((value) => !isDrawable(value, "linear")).length;
  if (missing > 0) notes.push(`${counted(missing, "value")} missing (–).`);
  return notes;
}

function summaryOf(plot: BarsPlot): string {
  const unit = plot.y.unit ?? "";
  const rows = plot.series.slice(0, seriesMax).map(({ name, values }) => {
    const parts = plot.categories
      .slice(0, 12)
      .map((category, index) => `${category} ${formatQuantity(values[index] ?? Number.NaN, unit)}`);
    return `${name}: ${parts.join(", ")}${plot.categories.length > 12 ? ", and more" : ""}`;
  });
  return `Bar chart of ${plot.y.label}. ${rows.join(". ") || "No series"}.`;
}
