import type uPlot from "uplot";
import { themeColor } from "../theme.ts";
import { leadersOf, lineLabels, placeLabels } from "./plot-labels.ts";
import type { PlotMark } from "./plot-model.ts";
import { paintRatio } from "./root-scale.ts";

/** Room for a line of words. */
const labelHeight = 14;
/** From the words to where a leader meets its line. */
const leaderWidth = 12;
const dotRadius = 2;
/** Of the ground under words: a line or an area that ends there is still felt. */
const groundAlpha = 0.85;

/** Lines across a plot and through it, with their words. */
export function drawMarks(plot: uPlot, marks: readonly PlotMark[]): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const ratio = paintRatio();
  ctx.font = `600 ${11 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
  const across = marks.flatMap((mark) =>
    mark.value === undefined ? [] : [{ mark, y: plot.valToPos(mark.value, "y", true) }],
  );
  // All lines come before all words: a later line would cross out the words of an earlier one.
  for (const { mark, y } of across) drawLine(plot, mark, [left, y, left + width, y]);
  const taken = drawLabels(plot, across);
  const edge = left + width - taken - 10 * ratio;
  for (const mark of marks) {
    if (mark.value !== undefined || mark.at === undefined) continue;
    const x = plot.valToPos(mark.at, "x", true);
    drawLine(plot, mark, [x, top, x, top + height]);
    const isRight = x + ctx.measureText(mark.label).width > edge;
    ctx.textAlign = isRight ? "right" : "left";
    ctx.textBaseline = "top";
    const beside = isRight ? Math.min(x - 4 * ratio, edge) : x + 4 * ratio;
    write(plot, mark.tone, { text: mark.label, x: beside, y: top + 2 * ratio });
  }
}

/** The words of the lines across, at the right edge. Gives how much of it they take. */
function drawLabels(
  plot: uPlot,
  across: readonly { readonly mark: PlotMark; readonly y: number }[],
): number {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const ratio = paintRatio();
  const lineHeight = labelHeight * ratio;
  const labels = lineLabels(across, lineHeight);
  const places = placeLabels(
    labels.map(({ lines }) => (lines[0] ?? 0) - lineHeight / 2),
    { top, bottom: top + height, height: lineHeight },
  );
  const right = left + width - 4 * ratio;
  const widths = labels.map(({ text }) => ctx.measureText(text).width);
  const taken = Math.max(0, ...widths);
  // They turn off beside the widest words, so that they cross neither words nor one another.
  const turn = right - taken - 4 * ratio;
  const leaders = leadersOf(labels, places, lineHeight);
  for (const { label, fromY, toY } of leaders) {
    const from = right - (widths[label] ?? 0) - 4 * ratio;
    const points = [from, fromY, turn, fromY, turn - leaderWidth * ratio, toY] as const;
    drawLeader(plot, labels[label]?.tone ?? "ink-2", points);
  }
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const [at, { text, tone }] of labels.entries()) {
    const wide = (widths[at] ?? 0) + 4 * ratio;
    ctx.globalAlpha = groundAlpha;
    ctx.fillStyle = themeColor("--panel");
    ctx.fillRect(right + 2 * ratio - wide, (places[at] ?? 0) - lineHeight / 2, wide, lineHeight);
    ctx.globalAlpha = 1;
    write(plot, tone, { text, x: right, y: places[at] ?? 0 });
  }
  return leaders.length > 0 ? taken + leaderWidth * ratio : taken;
}

type Line = readonly [fromX: number, fromY: number, toX: number, toY: number];

function drawLine({ ctx }: uPlot, mark: PlotMark, [fromX, fromY, toX, toY]: Line): void {
  const ratio = paintRatio();
  ctx.strokeStyle = themeColor(`--${mark.tone}`);
  ctx.lineWidth = 1.25 * ratio;
  ctx.setLineDash(mark.dashed === true ? [5 * ratio, 4 * ratio] : []);
  ctx.beginPath();
  ctx.moveTo(fromX, fromY);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}

type Bend = readonly [...Line, endX: number, endY: number];

/** A thin line with a dot on the line that it leads to. */
function drawLeader(
  { ctx }: uPlot,
  tone: PlotMark["tone"],
  [fromX, fromY, turnX, turnY, endX, endY]: Bend,
): void {
  const ratio = paintRatio();
  ctx.strokeStyle = themeColor(`--${tone}`);
  ctx.fillStyle = ctx.strokeStyle;
  ctx.lineWidth = ratio;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(fromX, fromY);
  ctx.lineTo(turnX, turnY);
  ctx.lineTo(endX, endY);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(endX, endY, dotRadius * ratio, 0, 2 * Math.PI);
  ctx.fill();
}

/** Words on a seam of the ground, so that a line behind them does not cross them out. */
function write(
  { ctx }: uPlot,
  tone: PlotMark["tone"],
  { text, x, y }: { readonly text: string; readonly x: number; readonly y: number },
): void {
  ctx.setLineDash([]);
  ctx.lineWidth = 3 * paintRatio();
  ctx.lineJoin = "round";
  ctx.strokeStyle = themeColor("--panel");
  ctx.strokeText(text, x, y);
  ctx.fillStyle = themeColor(`--${tone}`);
  ctx.fillText(text, x, y);
}
