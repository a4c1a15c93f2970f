import type { Area } from "./frame.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { Axis } from "./plot.ts";
import type { Scale, Tick } from "./scale.ts";
import { fitText, textWidth, widestText } from "./text-size.ts";

const tickSizePx = 12;

/** What an axis measures, with its unit where the ticks do not carry it, and its kind. */
export function axisTitle(axis: Axis): string {
  return axis.scale === "log" ? `${axis.label} (log scale)` : axis.label;
}

/** Room the labels of a y axis need. */
export function yAxisWidth(scale: Scale, widthPxMax: number): number {
  const widest = widestText(
    scale.ticks.map((tick) => tick.label),
    tickSizePx,
  );
  return Math.min(Math.ceil(widest) + 14, widthPxMax);
}

/** Horizontal grid lines with their labels at the left. */
export function drawYAxis(scale: Scale, area: Area, paddingPx: number): Markup {
  return fragment(
    ...scale.ticks.map((tick) => {
      const y = area.bottom - scale.position(tick.value) * area.height;
      return fragment(
        element("line", { class: "tp-grid", x1: area.left, x2: area.right, y1: y, y2: y }),
        element(
          "text",
          { class: "tp-tick", x: area.left - 8, y: y + 4, "text-anchor": "end" },
          fitText(tick.label, tickSizePx, area.left - 8 - paddingPx / 2),
        ),
      );
    }),
  );
}

/** The base line, ticks with labels where they fit, and the axis title. */
export function drawXAxis(scale: Scale, area: Area, axis: Axis): Markup {
  const toX = (value: number) => area.left + scale.position(value) * area.width;
  const labelled = withoutOverlap(scale.ticks, toX);
  return fragment(
    ...scale.ticks.map((tick) => {
      const x = toX(tick.value);
      return element("line", {
        class: "tp-axis",
        x1: x,
        x2: x,
        y1: area.bottom,
        y2: area.bottom + 5,
      });
    }),
    element("line", {
      class: "tp-axis",
      x1: area.left,
      x2: area.right,
      y1: area.bottom,
      y2: area.bottom,
    }),
    ...labelled.map((tick) => tickLabel(tick, toX(tick.value), area)),
    xAxisTitle(axisTitle(axis), area),
  );
}

/** Room under the area for the x axis of `drawXAxis`. */
export const xAxisPx = 46;

export function xAxisTitle(title: string, area: Area, offsetPx = 38): Markup {
  return element(
    "text",
    {
      class: "tp-sub",
      x: area.left + area.width / 2,
      y: area.bottom + offsetPx,
      "text-anchor": "middle",
    },
    fitText(title, 12, area.width),
  );
}

function tickLabel(tick: Tick, x: number, area: Area): Markup {
  return element(
    "text",
    { class: "tp-tick", x, y: area.bottom + 18, "text-anchor": "middle" },
    fitText(tick.label, tickSizePx, area.width),
  );
}

/** Labels that would touch their left neighbour are left out; their tick marks stay. */
function withoutOverlap(ticks: readonly Tick[], toX: (value: number) => number): Tick[] {
  const kept: Tick[] = [];
  let freeFrom = Number.NEGATIVE_INFINITY;
  for (const tick of ticks) {
    const half = textWidth(tick.label, tickSizePx) / 2;
    const x = toX(tick.value);
    if (x - half < freeFrom) continue;
    kept.push(tick);
    freeFrom = x + half + 8;
  }
  return kept;
}
