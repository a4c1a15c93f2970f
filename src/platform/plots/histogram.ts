import { axisTitle, drawXAxis, drawYAxis, xAxisPx, yAxisWidth } from "./axes.ts";
import { type Bin, binsOf } from "./bins.ts";
import { type Area, createFrame, emptyBody, paddingPx, plotWidth } from "./frame.ts";
import { fillPattern, hatchPattern } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { Bounds, HistogramPlot, ReferenceLine, RenderOptions } from "./plot.ts";
import { drawableReferences, drawReferences, layOutTopLabels } from "./references.ts";
import { isDrawable, type Scale, scaleFor } from "./scale.ts";
import { textWidth } from "./text-size.ts";
import { counted, formatQuantity } from "./units.ts";

/** How often values fall into each range, with the bounds drawn in. */
export function renderHistogram(plot: HistogramPlot, options: RenderOptions = {}): string {
  const kind = plot.x.scale ?? "linear";
  const values = plot.values.filter((value) => isDrawable(value, kind));
  const counts = outside(values, plot.bounds ?? {});
  const drawable = (lines: readonly ReferenceLine[]) =>
    drawableReferences({ lines, bands: [] }, kind, "linear").lines;
  const bounds = drawable(boundLines(plot, counts));
  const marks = drawable((plot.marks ?? []).map((mark) => ({ axis: "x", ...mark })));
  const references = { lines: [...marks, ...bounds], bands: [] };
  const widthPx = plotWidth(plot);
  const x = xScale(plot, values, references.lines, widthPx);
  const bins = binsOf(values, {
    scale: x,
    ...(plot.bins === undefined ? {} : { count: plot.bins }),
  });
  const y = scaleFor([0, ...bins.map(({ count }) => count)], {
    kind: "linear",
    unit: "",
    ticksWanted: 5,
  });
  const lastTick = textWidth(x.ticks.at(-1)?.label ?? "", 12) / 2 + 6;
  const leftPx = paddingPx + yAxisWidth(y, widthPx * 0.25);
  const rightPx = Math.max(paddingPx, Math.min(lastTick, widthPx * 0.2));
  const topLabels = layOutTopLabels(references, { x, left: leftPx, right: widthPx - rightPx });
  const frame = createFrame({
    plot,
    options,
    subtitle: "Values in each range",
    summary: summaryOf(plot, values, counts),
    leftPx,
    rightPx,
    labelsPx: topLabels.heightPx,
    axisPx: xAxisPx,
    notes: notesOf(plot, values, bins),
  });
  const { area } = frame;
  if (values.length === 0) {
    return frame.render(
      emptyBody(area, `${counted(plot.values.length, "value")}, none that can be drawn`),
    );
  }
  const hatch = frame.id("hatch");
  const fill = frame.id("fill");
  const body = fragment(
    shadeOutside(plot.bounds ?? {}, { x, area, hatch }),
    drawYAxis(y, area, paddingPx),
    ...bins.map((bin) => drawBin(bin, { x, y, area, fill })),
    drawXAxis(x, area, plot.x),
    drawReferences({ lines: bounds, bands: [] }, { area, x, y, hatch }),
    ...marks.map(({ value }) => drawMark(value, { x, area })),
    topLabels.draw(area.top),
  );
  return frame.render(body, fragment(fillPattern(0, fill), hatchPattern(hatch)));
}

interface Outside {
  readonly below: number;
  readonly above: number;
}

function outside(values: readonly number[], { low, high }: Bounds): Outside {
  let below = 0;
  let above = 0;
  for (const value of values) {
    if (low !== undefined && value < low) below++;
    if (high !== undefined && value > high) above++;
  }
  return { below, above };
}

function boundLines(plot: HistogramPlot, { below, above }: Outside): ReferenceLine[] {
  const unit = plot.x.unit ?? "";
  const { low, high } = plot.bounds ?? {};
  const lines: ReferenceLine[] = [];
  if (low !== undefined) {
    const label = `at least ${formatQuantity(low, unit)}: ${formatQuantity(below, "")} below`;
    lines.push({ axis: "x", value: low, label });
  }
  if (high !== undefined) {
    const label = `at most ${formatQuantity(high, unit)}: ${formatQuantity(above, "")} above`;
    lines.push({ axis: "x", value: high, label });
  }
  return lines;
}

function xScale(
  plot: HistogramPlot,
  values: readonly number[],
  lines: readonly ReferenceLine[],
  widthPx: number,
): Scale {
  function* shown() {
    yield* plot.x.include ?? [];
    yield* lines.map(({ value }) => value);
    yield* values;
  }
  return scaleFor(shown(), {
    kind: plot.x.scale ?? "linear",
    unit: plot.x.unit ?? "",
    ticksWanted: Math.max(3, Math.floor(widthPx / 90)),
  });
}

interface Drawing {
  readonly x: Scale;
  readonly area: Area;
}

/** What lies outside the bounds is hatched, so that the eye finds it without reading numbers. */
function shadeOutside(bounds: Bounds, drawing: Drawing & { readonly hatch: string }): Markup {
  const { x, area, hatch } = drawing;
  const toX = (value: number) => area.left + x.position(value) * area.width;
  const stretch = (from: number, to: number) =>
    to - from < 0.5
      ? undefined
      : element("rect", {
          fill: `url(#${hatch})`,
          opacity: 0.45,
          x: from,
          y: area.top,
          width: to - from,
          height: area.height,
        });
  const { low, high } = bounds;
  return fragment(
    isDrawable(low, x.kind) ? stretch(area.left, toX(low)) : undefined,
    isDrawable(high, x.kind) ? stretch(toX(high), area.right) : undefined,
  );
}

/** A thin line from the label of a named value down to its bar. */
function drawMark(value: number, { x, area }: Drawing): Markup {
  const at = area.left + x.position(value) * area.width;
  return element("line", { class: "tp-axis", x1: at, x2: at, y1: area.top, y2: area.bottom });
}

function drawBin(
  bin: Bin,
  { x, y, area, fill }: Drawing & { readonly y: Scale; readonly fill: string },
): Markup | undefined {
  if (bin.count === 0) return undefined;
  const left = area.left + x.position(bin.from) * area.width;
  const right = area.left + x.position(bin.to) * area.width;
  // A bin with a single value must stay visible beside one with thousands.
  const height = Math.max(y.position(bin.count) * area.height, 1.5);
  const gap = right - left > 4 ? 1 : 0;
  return element("rect", {
    class: "tp-c0 tp-bar",
    x: left + gap / 2,
    y: area.bottom - height,
    width: Math.max(right - left - gap, 0.5),
    height,
    fill: `url(#${fill})`,
  });
}

function notesOf(plot: HistogramPlot, values: readonly number[], bins: readonly Bin[]): string[] {
  const [first] = bins;
  const unit = plot.x.unit ?? "";
  const notes: string[] = [];
  if (first !== undefined && plot.x.scale !== "log") {
    notes.push(
      `${counted(values.length, "value")} in ${counted(bins.length, "range")} of ${formatQuantity(first.to - first.from, unit)}.`,
    );
  } else if (first !== undefined) {
    notes.push(`${counted(values.length, "value")} in ${counted(bins.length, "range")}.`);
  }
  const left = plot.values.length - values.length;
  if (left > 0) {
    notes.push(`${counted(left, "value")} missing or impossible to draw, left out.`);
  }
  return notes;
}

function summaryOf(plot: HistogramPlot, values: readonly number[], counts: Outside): string {
  const what = `Histogram of ${axisTitle(plot.x)}`;
  if (values.length === 0) return `${what}: no values.`;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    formatQuantity(sorted[Math.floor(share * (sorted.length - 1))] ?? 0, plot.x.unit ?? "");
  const bounds =
    plot.bounds === undefined
      ? ""
      : ` ${counts.below} values are below and ${counts.above} above the bounds.`;
  return `${what}: ${values.length} values from ${at(0)} to ${at(1)}, median ${at(0.5)}.${bounds}`;
}
