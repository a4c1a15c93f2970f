/** One value of a series: a run, when it was, and how good it is (higher is always better). */
export interface SeriesPoint {
  /** Which run, by its place in the list that is classified. */
  readonly run: number;
  readonly timeMs: number;
  readonly value: number;
}

/** The values of one statistic over the runs of a node (or of one GPU of it), by time. */
export interface Series {
  readonly node: string;
  /** The GPU, for a statistic of one. */
  readonly gpu: number | undefined;
  readonly points: readonly SeriesPoint[];
}

/** The values of a series alone, in the order of time. */
export function valuesOf(series: Series): number[] {
  return series.points.map(({ value }) => value);
}
