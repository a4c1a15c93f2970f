import type { ItemStatus, Provenance } from "../words.ts";
import type { ScaleKind } from "./scale.ts";
import type { Unit } from "./units.ts";

/** A value, or nothing where there is none. Nothing is drawn as a gap, never as zero. */
export type MaybeNumber = number | null;

export interface PlotCommon {
  readonly title: string;
  /** What the plot shows, for people who cannot see it. A summary of the data by default. */
  readonly description?: string;
  /** Where the numbers come from; shown beside the title. */
  readonly provenance?: Provenance;
  /** Width of the whole plot. @default 720; at least 360 */
  readonly widthPx?: number;
  /** Height of the part that carries data, without title, axes and notes. @default 240; at least 80 */
  readonly areaHeightPx?: number;
}

export interface Axis {
  readonly label: string;
  /** @default "" (a bare number) */
  readonly unit?: Unit;
  /** @default "linear" */
  readonly scale?: ScaleKind;
  /** Values the axis shows in any case, for example 0. */
  readonly include?: readonly number[];
  /** Marks and ends of the axis, where round values would not do; what lies beyond is drawn at the nearer end. Of lines and bars. */
  readonly ticks?: readonly number[];
}

/** A line across the plot at one value: a bound, a target, the moment of a fault. */
export interface ReferenceLine {
  readonly axis: "x" | "y";
  readonly value: number;
  readonly label: string;
}

/** A stretch of one axis: an accepted range, the time a fault was in force. */
export interface ReferenceBand {
  readonly axis: "x" | "y";
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Points of a line. All arrays have the same length; points are drawn in order of x. */
export interface LineSeries {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly MaybeNumber[];
  /** Lower and upper edge of the band around the line; both or neither. */
  readonly low?: readonly MaybeNumber[];
  readonly high?: readonly MaybeNumber[];
}

export interface LinesPlot extends PlotCommon {
  readonly kind: "lines";
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly LineSeries[];
  readonly references?: readonly ReferenceLine[];
  readonly bands?: readonly ReferenceBand[];
}

/** One value for each category, with error bars where low and high are given. */
export interface BarSeries {
  readonly name: string;
  readonly values: readonly MaybeNumber[];
  readonly low?: readonly MaybeNumber[];
  readonly high?: readonly MaybeNumber[];
  /** Draws it in the colour of a status. @default the colour of its place */
  readonly status?: ItemStatus;
}

export interface BarsPlot extends PlotCommon {
  readonly kind: "bars";
  readonly categories: readonly string[];
  /** Always linear: a bar's length must be its value. */
  readonly y: Omit<Axis, "scale">;
  readonly series: readonly BarSeries[];
  /** One bar for each category, its series on top of each other; values are not negative. @default false */
  readonly stacked?: boolean;
  /** Lines across at a value. */
  readonly references?: readonly Omit<ReferenceLine, "axis">[];
}

/** The accepted range of a value; either end may be open. */
export interface Bounds {
  readonly low?: number;
  readonly high?: number;
}

export interface HeatMapPlot extends PlotCommon {
  readonly kind: "heat-map";
  /** What the rows are, one word: "node". */
  readonly rowLabel: string;
  readonly columnLabel: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** One array for each row, one value for each column. */
  readonly values: readonly (readonly MaybeNumber[])[];
  /** What a value is: "Bus bandwidth". */
  readonly valueLabel: string;
  readonly unit?: Unit;
  /** Cells outside are marked with a cross. */
  readonly bounds?: Bounds;
  /** What one drawn cell says of several values, where there are more than fit. @default "max" */
  readonly merge?: "max" | "min" | "mean";
}

export interface HistogramPlot extends PlotCommon {
  readonly kind: "histogram";
  readonly x: Axis;
  readonly values: readonly MaybeNumber[];
  /** How many bins. @default chosen from the spread of the data, 60 at most */
  readonly bins?: number;
  /** Drawn in, with the number of values outside. */
  readonly bounds?: Bounds;
  /** Values that have a name: the outliers. */
  readonly marks?: readonly { readonly value: number; readonly label: string }[];
}

/** One thing and how it stands. */
export interface StatusCell {
  readonly name: string;
  readonly status: ItemStatus;
  /** What a reader sees who points at it: "tested 3 d ago". */
  readonly detail?: string;
}

/** Many things at a glance: one cell each, by colour and sign of its status. */
export interface StatusMapPlot extends PlotCommon {
  readonly kind: "status-map";
  /** What a cell is, one word: "node". */
  readonly cellLabel: string;
  /** What a row is, one word: "rack"; "" when rows mean nothing. */
  readonly rowLabel: string;
  readonly rows: readonly { readonly name: string; readonly cells: readonly StatusCell[] }[];
  /** What a status is called here. @default its own name */
  readonly labels?: Partial<Record<ItemStatus, string>>;
}

/** A stretch of a lane. */
export interface LaneSpan {
  readonly from: number;
  /** Null: it had not ended when everything else had; drawn to the end of the axis. */
  readonly to: MaybeNumber;
  /** Index of what it is in `kinds`. */
  readonly kind: number;
  /** Drawn inside where it fits, and said to whoever points at it. */
  readonly label: string;
}

/** A moment of a lane. */
export interface LaneMark {
  readonly at: number;
  readonly kind: number;
  readonly label: string;
}

/** What happened when: one lane for each thing, time from left to right, and a curve below on the same axis. */
export interface LanesPlot extends PlotCommon {
  readonly kind: "lanes";
  /** Always linear: a stretch must be as long as it took. */
  readonly x: Omit<Axis, "scale">;
  /** What stretches and moments are; the legend. Those with a status have its colour. */
  readonly kinds: readonly { readonly name: string; readonly status?: ItemStatus }[];
  readonly lanes: readonly {
    readonly name: string;
    readonly spans: readonly LaneSpan[];
    readonly marks?: readonly LaneMark[];
  }[];
  /** Lines under the lanes; `areaHeightPx` is theirs. */
  readonly curve?: { readonly y: Omit<Axis, "scale">; readonly series: readonly LineSeries[] };
}

/** Any plot, as data. `renderPlot` makes an SVG of it. */
export type Plot = LinesPlot | BarsPlot | HeatMapPlot | HistogramPlot | StatusMapPlot | LanesPlot;

export interface RenderOptions {
  /**
   * Prefix of the ids inside the SVG. Give each plot of one document its own.
   * @default derived from the kind and title
   */
  readonly id?: string;
}
