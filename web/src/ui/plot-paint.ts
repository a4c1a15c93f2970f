import type uPlot from "uplot";
import { themeColor } from "../theme.ts";
import { placeLabels } from "./plot-labels.ts";
import type { PlotMark, PlotProps } from "./plot-model.ts";
import { drawPoint, pointLook } from "./plot-points.ts";

const softAlpha = 0.14;
const pointRadius = 3.5;
/** Room for a line of words. */
const labelHeight = 14;

/** Bands and spans, under the curves. */
export function drawBehind(plot: uPlot, props: PlotProps): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  ctx.save();
  clip(plot);
  ctx.globalAlpha = softAlpha;
  for (const band of props.bands ?? []) {
    const upper = band.to === null ? top : plot.valToPos(band.to, "y", true);
    const lower = band.from === null ? top + height : plot.valToPos(band.from, "y", true);
    ctx.fillStyle = themeColor(`--${band.tone}`);
    ctx.fillRect(left, upper, width, lower - upper);
  }
  for (const span of props.spans ?? []) {
    const from = plot.valToPos(span.from, "x", true);
    const to = plot.valToPos(span.to, "x", true);
    ctx.fillStyle = themeColor(`--${span.tone}`);
    ctx.fillRect(from, top, Math.max(1, to - from), height);
  }
  ctx.restore();
}

/** Lines with their words, and points that have colours of their own. */
export function drawInFront(plot: uPlot, props: PlotProps): void {
  const { ctx } = plot;
  ctx.save();
  clip(plot);
  drawMarks(plot, props.marks ?? []);
  ctx.restore();
  ctx.save();
  // A point at the edge is drawn whole.
  clip(plot, pointRadius * 2 * devicePixelRatio);
  drawPoints(plot, props);
  ctx.restore();
}

function drawPoints(plot: uPlot, props: PlotProps): void {
  const { ctx } = plot;
  ctx.setLineDash([]);
  ctx.lineWidth = 1.75 * devicePixelRatio;
  for (const series of props.series) {
    if (series.pointTones === undefined) continue;
    for (const [at, value] of series.values.entries()) {
      const x = props.x[at];
      if (value === null || x === undefined) continue;
      const tone = series.pointTones[at];
      const color = themeColor(`--${tone ?? "ink-2"}`);
      ctx.fillStyle = color;
      ctx.strokeStyle = color;
      drawPoint(ctx, pointLook(tone), {
        x: plot.valToPos(x, "x", true),
        y: plot.valToPos(value, "y", true),
        radius: pointRadius * devicePixelRatio,
      });
    }
  }
}

function drawMarks(plot: uPlot, marks: readonly PlotMark[]): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const ratio = devicePixelRatio;
  ctx.font = `600 ${11 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
  const across = marks.flatMap((mark) =>
    mark.value === undefined ? [] : [{ mark, y: plot.valToPos(mark.value, "y", true) }],
  );
  const places = placeLabels(
    across.map(({ y }) => y - (labelHeight / 2) * ratio),
    { top, bottom: top + height, height: labelHeight * ratio },
  );
  for (const [at, { mark, y }] of across.entries()) {
    drawLine(plot, mark, [left, y, left + width, y]);
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    write(plot, mark, { x: left + width - 4 * ratio, y: places[at] ?? y });
  }
  // The words of the lines across have the right edge.
  const taken = Math.max(0, ...across.map(({ mark }) => ctx.measureText(mark.label).width));
  const edge = left + width - taken - 10 * ratio;
  for (const mark of marks) {
    if (mark.value !== undefined || mark.at === undefined) continue;
    const x = plot.valToPos(mark.at, "x", true);
    drawLine(plot, mark, [x, top, x, top + height]);
    const isRight = x + ctx.measureText(mark.label).width > edge;
    ctx.textAlign = isRight ? "right" : "left";
    ctx.textBaseline = "top";
    const beside = isRight ? Math.min(x - 4 * ratio, edge) : x + 4 * ratio;
    write(plot, mark, { x: beside, y: top + 2 * ratio });
  }
}

type Line = readonly [fromX: number, fromY: number, toX: number, toY: number];

function drawLine({ ctx }: uPlot, mark: PlotMark, [fromX, fromY, toX, toY]: Line): void {
  const ratio = devicePixelRatio;
  ctx.strokeStyle = themeColor(`--${mark.tone}`);
  ctx.lineWidth = 1.25 * ratio;
  ctx.setLineDash(mark.dashed === true ? [5 * ratio, 4 * ratio] : []);
  ctx.beginPath();
  ctx.moveTo(fromX, fromY);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}

/** The words of a mark, on a seam of the ground so that a line behind them does not cross them out. */
function write(
  { ctx }: uPlot,
  mark: PlotMark,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  ctx.setLineDash([]);
  ctx.lineWidth = 3 * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.strokeStyle = themeColor("--panel");
  ctx.strokeText(mark.label, x, y);
  ctx.fillStyle = themeColor(`--${mark.tone}`);
  ctx.fillText(mark.label, x, y);
}

function clip(plot: uPlot, around = 0): void {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.beginPath();
  plot.ctx.rect(left - around, top - around, width + 2 * around, height + 2 * around);
  plot.ctx.clip();
}
