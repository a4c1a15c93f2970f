import type uPlot from "uplot";
import { themeColor } from "../theme.ts";
import { drawMarks } from "./plot-marks.ts";
import type { PlotProps } from "./plot-model.ts";
import { drawPoint, pointLook } from "./plot-points.ts";
import { paintRatio } from "./root-scale.ts";

const softAlpha = 0.14;
const pointRadius = 3.5;

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
  clip(plot, pointRadius * 2 * paintRatio());
  drawPoints(plot, props);
  ctx.restore();
}

function drawPoints(plot: uPlot, props: PlotProps): void {
  const { ctx } = plot;
  ctx.setLineDash([]);
  ctx.lineWidth = 1.75 * paintRatio();
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
        radius: pointRadius * paintRatio(),
      });
    }
  }
}

function clip(plot: uPlot, around = 0): void {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.beginPath();
  plot.ctx.rect(left - around, top - around, width + 2 * around, height + 2 * around);
  plot.ctx.clip();
}
