import type { Bounds, HeatMapPlot } from "./plot.ts";
import { isDrawable } from "./scale.ts";
import { heatSteps } from "./theme.ts";
import { type FormatShape, formatBeside, formatterFor } from "./units.ts";

/** What the values of a heat map span, and how one of them is written. */
export interface HeatRange {
  readonly min: number;
  readonly max: number;
  /** Values that can be drawn. */
  readonly count: number;
  /** Cells without one. */
  readonly missing: number;
  /** Values out of bounds. */
  readonly outside: number;
  /** A value without its unit, in the same step as the legend. */
  readonly format: (value: number) => string;
  /** An end of a step's range, with its unit. */
  readonly formatEnd: (value: number) => string;
}

export function rangeOf(plot: HeatMapPlot): HeatRange {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let count = 0;
  let outside = 0;
  for (const [row] of plot.rows.entries()) {
    for (const [column] of plot.columns.entries()) {
      const value = plot.values[row]?.[column];
      if (!isDrawable(value, "linear")) continue;
      count++;
      if (isOutside(value, plot.bounds)) outside++;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  if (count === 0) [min, max] = [0, 0];
  const unit = plot.unit ?? "";
  const shape = shapeOf(min, max);
  const beside = formatBeside(unit, shape);
  return {
    min,
    max,
    count,
    missing: plot.rows.length * plot.columns.length - count,
    outside,
    format: (value) => beside(value).replace(/ .*/, ""),
    formatEnd: formatterFor(unit, shape),
  };
}

/** Which of the steps of lightness a value has, 0 for the lowest. */
export function stepOf(value: number, { min, max }: Pick<HeatRange, "min" | "max">): number {
  if (!(max > min)) return Math.floor(heatSteps / 2);
  const share = (value - min) / (max - min);
  return Math.min(heatSteps - 1, Math.max(0, Math.floor(share * heatSteps)));
}

/** The range of each step in words, from the lowest step; "" for a step that nothing has. */
export function stepRanges({ min, max, formatEnd }: HeatRange): string[] {
  const width = (max - min) / heatSteps;
  return Array.from({ length: heatSteps }, (_, step) => {
    if (!(width > 0)) return step === stepOf(min, { min, max }) ? formatEnd(max) : "";
    const from = formatEnd(min + step * width).replace(/ .*/, "");
    return `${from} – ${formatEnd(min + (step + 1) * width)}`;
  });
}

export function isOutside(value: number, bounds: Bounds | undefined): boolean {
  return value < (bounds?.low ?? value) || value > (bounds?.high ?? value);
}

/** Two digits of a step's width tell its ends apart. */
function shapeOf(min: number, max: number): FormatShape {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const width = (max - min) / heatSteps || largest || 1;
  return { largest, distance: width, resolution: 10 ** (Math.floor(Math.log10(width)) - 1) };
}
