import type { ItemStatus } from "../words.ts";
import { createFrame, emptyBody, paddingPx, plotWidth } from "./frame.ts";
import { layOutLegend } from "./legend.ts";
import { at, hatchPattern, statusClass } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { RenderOptions, StatusCell, StatusMapPlot } from "./plot.ts";
import { fitText, widestText } from "./text-size.ts";
import { counted } from "./units.ts";

const cellPxMax = 30;
const cellPxMin = 4;
const rowsMax = 500;
// Rows get thinner before a plot gets longer than a screen.
const heightPxMax = 640;

/** One cell for each thing, in rows; each status has its colour and its sign. */
export function renderStatusMap(plot: StatusMapPlot, options: RenderOptions = {}): string {
  const rows = plot.rows.slice(0, rowsMax).filter(({ cells }) => cells.length > 0);
  const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 1);
  const widthPx = plotWidth(plot);
  const namesPx = Math.min(
    widestText(
      rows.map(({ name }) => name),
      12,
    ),
    widthPx * 0.22,
  );
  const leftPx = paddingPx + (namesPx > 0 ? namesPx + 10 : 0);
  const room = (widthPx - leftPx - paddingPx) / widest;
  const cellPx = Math.max(cellPxMin, Math.min(cellPxMax, room, heightPxMax / rows.length));
  const shown = Math.max(1, Math.min(widest, Math.floor((widthPx - leftPx - paddingPx) / cellPx)));
  const statuses = statusesOf(plot);
  const counts = countsOf(plot);
  const legend = layOutLegend(
    statuses.map((status) => `${counts.get(status) ?? 0} ${plot.labels?.[status] ?? status}`),
    widthPx - 2 * paddingPx,
  );
  const frame = createFrame({
    plot: { ...plot, areaHeightPx: Math.max(80, rows.length * cellPx) },
    options,
    subtitle: subtitleOf(plot),
    summary: summaryOf(plot, statuses, counts),
    leftPx,
    rightPx: paddingPx,
    axisPx: 8,
    legendRows: legend.rows,
    notes: notesOf(plot, shown),
  });
  if (counts.size === 0) {
    return frame.render(emptyBody(frame.area, `There is no ${plot.cellLabel} to show`));
  }
  const { area } = frame;
  const hatch = frame.id("hatch");
  const body = fragment(
    legend.draw({ left: paddingPx, top: frame.legendTop }, (index, x, y) =>
      sign(statuses[index] ?? "unknown", { x, y, size: 13 }, hatch),
    ),
    ...rows.map((row, index) => {
      const y = area.top + index * cellPx;
      const cells = row.cells
        .slice(0, shown)
        .map((cell, column) =>
          drawCell(cell, { x: area.left + column * cellPx, y, size: cellPx }, hatch),
        );
      return fragment(rowName(row.name, { index, cellPx, y, right: area.left - 8 }), ...cells);
    }),
  );
  return frame.render(body, hatchPattern(hatch));
}

interface Square {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** A cell with its name and detail for whoever points at it. */
function drawCell(cell: StatusCell, place: Square, hatch: string): Markup {
  const gap = place.size > 8 ? 2 : 0.5;
  const square = { x: place.x + gap / 2, y: place.y + gap / 2, size: place.size - gap };
  const detail = cell.detail === undefined ? "" : `, ${cell.detail}`;
  return element(
    "g",
    {},
    element("title", {}, `${cell.name}: ${cell.status}${detail}`),
    sign(cell.status, square, hatch),
  );
}

/** A coloured square; what is not good also differs in shape, for eyes and printers without colour. */
function sign(status: ItemStatus, { x, y, size }: Square, hatch: string): Markup {
  const colour = statusClass(status);
  const box = { x, y, width: size, height: size, rx: size > 8 ? 2 : 0 };
  const reach = (share: number) => size * share;
  const stroke = (d: string) => element("path", { class: "tp-sign", d });
  const whole = element("rect", { class: `${colour} tp-fill`, ...box });
  switch (status) {
    case "pass":
      return whole;
    case "warn":
      return fragment(
        whole,
        stroke(`M${at(x + reach(0.5), y + reach(0.25))}L${at(x + reach(0.5), y + reach(0.75))}`),
      );
    case "suspect":
      return fragment(
        whole,
        stroke(`M${at(x + reach(0.25), y + reach(0.75))}L${at(x + reach(0.75), y + reach(0.25))}`),
      );
    case "fail":
      return fragment(
        whole,
        stroke(
          `M${at(x + reach(0.25), y + reach(0.25))}L${at(x + reach(0.75), y + reach(0.75))}` +
            `M${at(x + reach(0.75), y + reach(0.25))}L${at(x + reach(0.25), y + reach(0.75))}`,
        ),
      );
    case "unknown":
      return element("rect", {
        class: `${colour} tp-open`,
        ...box,
        x: x + 1,
        y: y + 1,
        width: Math.max(size - 2, 1),
        height: Math.max(size - 2, 1),
      });
    case "skipped":
      return fragment(
        element("rect", { class: "tp-shade", ...box }),
        element("rect", { fill: `url(#${hatch})`, ...box }),
      );
  }
}

function rowName(
  name: string,
  place: {
    readonly index: number;
    readonly cellPx: number;
    readonly y: number;
    readonly right: number;
  },
): Markup | undefined {
  const stride = Math.max(1, Math.ceil(15 / place.cellPx));
  if (name === "" || place.index % stride !== 0) return undefined;
  return element(
    "text",
    { class: "tp-tick", x: place.right, y: place.y + place.cellPx / 2 + 4, "text-anchor": "end" },
    fitText(name, 12, place.right - 4),
  );
}

/** In the order of what needs a person first. */
const order: readonly ItemStatus[] = ["fail", "suspect", "unknown", "warn", "pass", "skipped"];

function statusesOf(plot: StatusMapPlot): ItemStatus[] {
  const counts = countsOf(plot);
  return order.filter((status) => counts.has(status));
}

function countsOf({ rows }: StatusMapPlot): ReadonlyMap<ItemStatus, number> {
  const counts = new Map<ItemStatus, number>();
  for (const { cells } of rows) {
    for (const { status } of cells) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

function subtitleOf({ cellLabel, rowLabel }: StatusMapPlot): string {
  return rowLabel === "" ? `One cell for each ${cellLabel}` : `Each ${cellLabel}, by ${rowLabel}`;
}

function notesOf({ rows, cellLabel }: StatusMapPlot, shown: number): string[] {
  const drawn = rows
    .slice(0, rowsMax)
    .reduce((sum, { cells }) => sum + Math.min(cells.length, shown), 0);
  const all = rows.reduce((sum, { cells }) => sum + cells.length, 0);
  return drawn === all ? [] : [`${counted(all - drawn, cellLabel)} more not drawn.`];
}

function summaryOf(
  plot: StatusMapPlot,
  statuses: readonly ItemStatus[],
  counts: ReadonlyMap<ItemStatus, number>,
): string {
  const parts = statuses.map(
    (status) => `${counts.get(status) ?? 0} ${plot.labels?.[status] ?? status}`,
  );
  return `Map of each ${plot.cellLabel} by its status: ${parts.join(", ") || "none"}.`;
}
