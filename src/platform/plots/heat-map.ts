import { categoryAxis } from "./category-axis.ts";
import { type Area, areaHeight, createFrame, emptyBody, paddingPx, plotWidth } from "./frame.ts";
import { type Cell, type Grid, gridOf } from "./heat-grid.ts";
import { type HeatRange, rangeOf, stepOf, stepRanges } from "./heat-range.ts";
import { at, hatchPattern } from "./marks.ts";
import { element, fragment, type Markup } from "./markup.ts";
import type { HeatMapPlot, RenderOptions } from "./plot.ts";
import { fitText, textWidth, widestText } from "./text-size.ts";
import { formatQuantity } from "./units.ts";

const cellPxMin = 4;
const legendPxMax = 170;

/** A grid of values by lightness, with a legend in words; missing cells are hatched. */
export function renderHeatMap(plot: HeatMapPlot, options: RenderOptions = {}): string {
  const widthPx = plotWidth(plot);
  const heightPx = areaHeight(plot);
  const widestRow = widestText(plot.rows, 12);
  const leftPx = paddingPx + Math.min(widestRow, widthPx * 0.22) + 10;
  const range = rangeOf(plot);
  const legend = legendOf(plot, range);
  const legendPx = widestText(
    legend.map(({ text }) => text),
    12,
  );
  const rightPx = paddingPx + Math.min(legendPx, legendPxMax, widthPx * 0.3) + 40;
  const grid = gridOf(plot, {
    rowsMax: Math.floor(heightPx / cellPxMin),
    columnsMax: Math.floor((widthPx - leftPx - rightPx) / cellPxMin),
  });
  const slotPx = (widthPx - leftPx - rightPx) / Math.max(1, grid.columns.length);
  const axis = categoryAxis({ names: grid.columns, slotPx, title: plot.columnLabel });
  const frame = createFrame({
    plot,
    options,
    subtitle: `${plot.valueLabel} for each ${plot.rowLabel} and ${plot.columnLabel}`,
    summary: summaryOf(plot, range),
    leftPx,
    rightPx,
    axisPx: axis.heightPx,
    notes: grid.notes,
  });
  const { area } = frame;
  if (range.count === 0)
    return frame.render(emptyBody(area, "No cell has a value that can be drawn"));
  const hatch = frame.id("hatch");
  const body = fragment(
    drawCells(grid, { range, area, hatch }),
    rowNames(grid, area),
    axis.draw(area),
    drawLegend(legend, { area, hatch, textPx: rightPx - paddingPx - 36 }),
  );
  return frame.render(body, hatchPattern(hatch));
}

interface Drawing {
  readonly range: HeatRange;
  readonly area: Area;
  readonly hatch: string;
}

function drawCells(grid: Grid, drawing: Drawing): Markup {
  const { area } = drawing;
  const width = area.width / grid.columns.length;
  const height = area.height / grid.rows.length;
  return fragment(
    ...grid.cells.flatMap((row, rowIndex) =>
      row.map((cell, columnIndex) =>
        drawCell(cell, {
          ...drawing,
          x: area.left + columnIndex * width,
          y: area.top + rowIndex * height,
          width,
          height,
        }),
      ),
    ),
  );
}

interface Place extends Drawing {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function drawCell(cell: Cell, place: Place): Markup {
  const { x, y, width, height } = place;
  const gap = Math.min(width, height) > 8 ? 1 : 0;
  const rectangle = { x: x + gap / 2, y: y + gap / 2, width: width - gap, height: height - gap };
  if (cell.value === null) return missingCell(rectangle, place.hatch);
  const step = stepOf(cell.value, place.range);
  const label = place.range.format(cell.value);
  const fits = height >= 15 && textWidth(label, 11) <= width - 6;
  return fragment(
    element("rect", { class: `tp-h${step}`, ...rectangle }),
    cell.outside ? cross(step, rectangle) : undefined,
    fits
      ? element(
          "text",
          {
            class: `tp-cell tp-ht${step}`,
            x: x + width / 2,
            y: y + height / 2 + 4,
            "text-anchor": "middle",
          },
          label,
        )
      : undefined,
  );
}

type Rectangle = Pick<Place, "x" | "y" | "width" | "height">;

/** Corners struck out, so that a value printed in the middle stays readable. */
function cross(step: number, { x, y, width, height }: Rectangle): Markup {
  const reach = Math.min(width, height) > 24 ? 0.22 : 0.5;
  const dx = Math.min(width * reach, height * reach * 1.5);
  const dy = height * reach;
  const right = x + width;
  const bottom = y + height;
  const d =
    `M${at(x, y)}L${at(x + dx, y + dy)}M${at(right, y)}L${at(right - dx, y + dy)}` +
    `M${at(x, bottom)}L${at(x + dx, bottom - dy)}M${at(right, bottom)}L${at(right - dx, bottom - dy)}`;
  return element("path", { class: `tp-cross tp-hx${step}`, d });
}

function rowNames(grid: Grid, area: Area): Markup {
  const height = area.height / grid.rows.length;
  const stride = Math.max(1, Math.ceil(18 / height));
  return fragment(
    ...grid.rows.map((name, index) =>
      index % stride === 0
        ? element(
            "text",
            {
              class: "tp-tick",
              x: area.left - 8,
              y: area.top + (index + 0.5) * height + 4,
              "text-anchor": "end",
            },
            fitText(name, 12, area.left - 12),
          )
        : undefined,
    ),
  );
}

/** A line of the legend: a step of lightness, or what a mark means. */
interface LegendEntry {
  readonly text: string;
  readonly mark: number | "missing" | "outside";
}

/** From the highest step to the lowest, then the marks that occur. */
function legendOf(plot: HeatMapPlot, range: HeatRange): LegendEntry[] {
  const unit = plot.unit ?? "";
  const { low, high } = plot.bounds ?? {};
  const parts = [
    low === undefined ? undefined : `below ${formatQuantity(low, unit)}`,
    high === undefined ? undefined : `above ${formatQuantity(high, unit)}`,
  ].filter((part) => part !== undefined);
  const entries: LegendEntry[] = stepRanges(range)
    .map((text, step) => ({ text, mark: step }))
    .toReversed();
  if (range.missing > 0) entries.push({ text: "no value", mark: "missing" });
  if (parts.length > 0) entries.push({ text: parts.join(" or "), mark: "outside" });
  return entries.filter(({ text }) => text !== "");
}

function drawLegend(
  entries: readonly LegendEntry[],
  drawing: { readonly area: Area; readonly hatch: string; readonly textPx: number },
): Markup {
  const { area, hatch, textPx } = drawing;
  const left = area.right + 14;
  const rowPx = Math.min(20, area.height / entries.length);
  return fragment(
    ...entries.map(({ text, mark }, index) => {
      const y = area.top + index * rowPx;
      const box = { x: left, y: y + 1, width: 16, height: Math.max(rowPx - 4, 4) };
      const label = { class: "tp-tick", x: left + 22, y: y + rowPx / 2 + 3 };
      return fragment(swatch(mark, box, hatch), element("text", label, fitText(text, 12, textPx)));
    }),
  );
}

function swatch(mark: LegendEntry["mark"], box: Rectangle, hatch: string): Markup {
  if (mark === "missing") return missingCell(box, hatch);
  if (mark === "outside")
    return fragment(element("rect", { class: "tp-h1", ...box }), cross(1, box));
  return element("rect", { class: `tp-h${mark}`, ...box });
}

function missingCell(box: Rectangle, hatch: string): Markup {
  return fragment(
    element("rect", { class: "tp-shade", ...box }),
    element("rect", { fill: `url(#${hatch})`, ...box }),
  );
}

function summaryOf(plot: HeatMapPlot, range: HeatRange): string {
  const unit = plot.unit ?? "";
  const size = `${plot.rows.length} rows (${plot.rowLabel}) by ${plot.columns.length} columns (${plot.columnLabel})`;
  const what = `Heat map of ${plot.valueLabel}, ${size}`;
  if (range.count === 0) return `${what}: no values.`;
  const outside = range.outside > 0 ? ` ${range.outside} values are out of bounds.` : "";
  return `${what}: values from ${formatQuantity(range.min, unit)} to ${formatQuantity(range.max, unit)}.${outside}`;
}
