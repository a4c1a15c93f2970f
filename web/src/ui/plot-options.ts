import uPlot from "uplot";
import { formatNumber } from "../format.ts";
import { themeColor } from "../theme.ts";
import { type PlotProps, type PlotSeries, type XKind, yRangeOf } from "./plot-model.ts";
import { drawBehind, drawInFront } from "./plot-paint.ts";
import { xText, xTexts, yTexts } from "./plot-texts.ts";
import { rootScale } from "./root-scale.ts";

/** The colour of a series for style sheets. */
export function seriesColor(series: PlotSeries, at: number): string {
  return `var(${colorName(series, at)})`;
}

/** How uPlot draws a plot; `read` gives the newest properties. */
export function plotOptions(
  read: () => PlotProps,
  size: { readonly width: number; readonly height: number },
): uPlot.Options {
  const props = read();
  const em = rootScale.peek();
  const axis = axisLook(em);
  return {
    ...size,
    legend: { show: false },
    // Room for half of the last label under the axis.
    padding: [10 * em, 34 * em, 0, 0],
    cursor: {
      drag: { x: false, y: false },
      points: { size: 7 * em },
      ...(props.syncKey === undefined ? {} : { sync: { key: props.syncKey } }),
    },
    scales: {
      x: xScale(props.xKind),
      y: {
        distr: props.yLog === true ? 3 : 1,
        range: () => {
          const [low, high] = yRangeOf(read());
          return [low, high];
        },
      },
    },
    axes: [
      {
        ...axis,
        size: 32 * em,
        space: 50 * em,
        values: (_plot, splits) => xTexts(props.xKind, splits),
      },
      { ...axis, size: 58 * em, space: 30 * em, values: (_plot, splits) => yTexts(splits) },
    ],
    series: [{}, ...props.series.map((series, at) => seriesOptions(series, at, read))],
    hooks: {
      drawClear: [(plot) => drawBehind(plot, read())],
      draw: [(plot) => drawInFront(plot, read())],
      setCursor: [(plot) => showTip(plot, read())],
      ready: [(plot) => addTip(plot, read)],
    },
  };
}

function seriesOptions(series: PlotSeries, at: number, read: () => PlotProps): uPlot.Series {
  const color = themeColor(colorName(series, at));
  const em = rootScale.peek();
  const draw = series.draw ?? "line";
  const stepped = draw === "stepped" ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  const none: uPlot.Series.PathBuilder = () => null;
  const toned = () => read().series[at]?.pointTones !== undefined;
  return {
    label: series.label,
    stroke: color,
    width: (series.width ?? 1.75) * em,
    spanGaps: false,
    ...(series.dashed === true ? { dash: [6, 5] } : {}),
    ...(draw === "points" ? { paths: none } : {}),
    ...(stepped === undefined ? {} : { paths: stepped }),
    points: {
      // Points with colours of their own are painted by us.
      show: (draw === "points" || draw === "both") && !toned(),
      size: 6 * em,
      fill: color,
    },
  };
}

function colorName(series: PlotSeries, at: number): string {
  return series.tone === undefined ? `--plot-${(series.color ?? at) % 8}` : `--${series.tone}`;
}

function axisLook(em: number): uPlot.Axis {
  const family = getComputedStyle(document.body).fontFamily;
  return {
    stroke: themeColor("--ink-2"),
    font: `${12 * em}px ${family}`,
    grid: { stroke: themeColor("--grid"), width: 1 },
    ticks: { show: false },
    gap: 6 * em,
  };
}

function xScale(kind: XKind): uPlot.Scale {
  if (kind === "bytes-log" || kind === "devices-log") return { time: false, distr: 3, log: 2 };
  return { time: kind === "time" };
}

const tips = new WeakMap<uPlot, HTMLElement>();

function addTip(plot: uPlot, read: () => PlotProps): void {
  const tip = document.createElement("div");
  tip.className = "plot-tip";
  tip.hidden = true;
  plot.over.append(tip);
  tips.set(plot, tip);
  plot.over.addEventListener("click", () => {
    const index = plot.cursor.idx;
    if (typeof index === "number") read().onPoint?.(index);
  });
}

/** The values at the cursor, beside it. */
function showTip(plot: uPlot, props: PlotProps): void {
  const tip = tips.get(plot);
  const index = plot.cursor.idx;
  const x = typeof index === "number" ? props.x[index] : undefined;
  props.onCursor?.(x);
  if (tip === undefined) return;
  tip.hidden = x === undefined;
  if (x === undefined || typeof index !== "number") return;
  const head = document.createElement("strong");
  head.textContent = xText(props.xKind, x);
  const lines = props.series.flatMap((series, at) => {
    const value = series.values[index];
    if (value === null || value === undefined) return [];
    const line = document.createElement("div");
    const key = document.createElement("i");
    key.className = "plot-key";
    key.style.color = seriesColor(series, at);
    line.append(key, `${series.label}: ${formatNumber(value, 4)} ${props.unit}`);
    return [line];
  });
  tip.replaceChildren(head, ...lines);
  const left = plot.cursor.left ?? 0;
  const isRight = left > plot.over.clientWidth / 2;
  tip.style.left = isRight ? "auto" : `${left + 12}px`;
  tip.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : "auto";
}
