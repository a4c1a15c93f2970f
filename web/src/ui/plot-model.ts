import type { Tone } from "./tone.ts";

export type XKind = "time" | "seconds" | "bytes-log" | "devices-log";

export interface PlotSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly tone?: Tone;
  /** Instead of a tone, one of the plain colours of plots (0 to 7); by default the series' place. */
  readonly color?: number;
  readonly dashed?: boolean;
  readonly width?: number;
  /** `points`: no line; `both`: a line with its points. */
  readonly draw?: "line" | "points" | "both" | "stepped";
  /** A colour for each point, by its index: the verdict of a run. */
  readonly pointTones?: readonly (Tone | undefined)[];
}

/** A part of the y axis that means something: what is usual, what is too low. Null: without end. */
export interface PlotBand {
  readonly from: number | null;
  readonly to: number | null;
  readonly label: string;
  readonly tone: Tone;
}

/** A part of the x axis that means something: a dip, a fault. */
export interface PlotSpan {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly tone: Tone;
}

/** A line across the plot: on the x axis (`at`) or the y axis (`value`). */
export interface PlotMark {
  readonly at?: number;
  readonly value?: number;
  readonly label: string;
  readonly tone: Tone;
  readonly dashed?: boolean;
}

export interface PlotProps {
  readonly title: string;
  readonly unit: string;
  /** Rising. Seconds since 1970 for `time`, else seconds, bytes or devices. */
  readonly x: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly bands?: readonly PlotBand[];
  readonly spans?: readonly PlotSpan[];
  readonly marks?: readonly PlotMark[];
  readonly height?: number;
  readonly xKind: XKind;
  readonly yMin?: number;
  readonly yMax?: number;
  readonly yLog?: boolean;
  /** Plots with the same key share the cursor. */
  readonly syncKey?: string;
  readonly onCursor?: (x: number | undefined) => void;
  /** A click on the point nearest to the cursor. */
  readonly onPoint?: (index: number) => void;
  /** Instead of the figures read out to those who do not see the plot. */
  readonly summary?: string;
}

/** The range of y that shows all values, bands and marks, with a little room. */
export function yRangeOf(
  plot: Pick<PlotProps, "series" | "bands" | "marks" | "yMin" | "yMax" | "yLog">,
): readonly [number, number] {
  const seen: number[] = [];
  const look = (value: number | null | undefined) => {
    if (value !== null && value !== undefined && Number.isFinite(value)) seen.push(value);
  };
  for (const { values } of plot.series) values.forEach(look);
  for (const { from, to } of plot.bands ?? []) {
    look(from);
    look(to);
  }
  for (const { value } of plot.marks ?? []) look(value);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of seen) {
    if (plot.yLog === true && value <= 0) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [plot.yMin ?? 0, plot.yMax ?? 1];
  if (plot.yLog === true) return [plot.yMin ?? low / 1.2, plot.yMax ?? high * 1.2];
  const room = (high - low) * 0.08 || Math.abs(high) * 0.05 || 1;
  const floor = low >= 0 && low - room < 0 ? 0 : low - room;
  return [plot.yMin ?? floor, plot.yMax ?? high + room];
}

/** The plot in words: each series with its smallest, largest and last value. */
export function plotWords(plot: PlotProps, write: (value: number) => string): string {
  const lines = plot.series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    const last = known.at(-1);
    if (last === undefined) return `${label}: no values`;
    const low = known.reduce((a, b) => Math.min(a, b));
    const high = known.reduce((a, b) => Math.max(a, b));
    return `${label}: ${write(low)} to ${write(high)}, last ${write(last)} ${plot.unit}`;
  });
  return `${plot.title}. ${lines.join("; ")}.`;
}
