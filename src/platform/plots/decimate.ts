import type { MaybeNumber } from "./plot.ts";

/** A point of a line; y is null where there is a gap. */
export interface LinePoint {
  readonly x: number;
  readonly y: MaybeNumber;
  readonly low: MaybeNumber;
  readonly high: MaybeNumber;
}

/** One column of pixels: the points to draw there, in order, and the band over all of them. */
export interface LineColumn {
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly band: { readonly x: number; readonly low: number; readonly high: number } | undefined;
  /** A value is missing in this column: the line does not go on to the next. */
  readonly gapAfter: boolean;
}

/**
 * Points gathered by column of pixels. With few points a column is one point; with more than two a
 * column it keeps the smallest and the largest of each, so that no spike is lost.
 * Points come in order of x.
 */
export function columnsOf(
  points: readonly LinePoint[],
  options: { readonly columnOf: (x: number) => number; readonly columnsMax: number },
): { readonly columns: readonly LineColumn[]; readonly decimated: boolean } {
  const decimated = points.length > 2 * options.columnsMax;
  if (!decimated) return { columns: points.map((point) => columnFrom([point])), decimated };
  const columns: LineColumn[] = [];
  let gathered: LinePoint[] = [];
  let current = Number.NaN;
  for (const point of points) {
    const column = Math.floor(options.columnOf(point.x));
    if (column !== current && gathered.length > 0) {
      columns.push(columnFrom(gathered));
      gathered = [];
    }
    current = column;
    gathered.push(point);
  }
  if (gathered.length > 0) columns.push(columnFrom(gathered));
  return { columns, decimated };
}

function columnFrom(points: readonly LinePoint[]): LineColumn {
  let smallest: { x: number; y: number } | undefined;
  let largest: { x: number; y: number } | undefined;
  let smallestAt = 0;
  let largestAt = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let gapAfter = false;
  for (const [index, point] of points.entries()) {
    if (point.low !== null) low = Math.min(low, point.low);
    if (point.high !== null) high = Math.max(high, point.high);
    if (point.y === null) {
      gapAfter = true;
      continue;
    }
    if (smallest === undefined || point.y < smallest.y) {
      smallest = { x: point.x, y: point.y };
      smallestAt = index;
    }
    if (largest === undefined || point.y > largest.y) {
      largest = { x: point.x, y: point.y };
      largestAt = index;
    }
  }
  const x = points[0]?.x ?? 0;
  return {
    points: inOrder(smallest, largest, smallestAt <= largestAt),
    band: low <= high ? { x, low, high } : undefined,
    gapAfter,
  };
}

function inOrder<T extends { x: number; y: number }>(
  smallest: T | undefined,
  largest: T | undefined,
  smallestFirst: boolean,
): T[] {
  if (smallest === undefined || largest === undefined) return [];
  if (smallest.y === largest.y) return [smallest];
  return smallestFirst ? [smallest, largest] : [largest, smallest];
}

/** Unbroken stretches of what the columns hold. */
export function stretches<T>(
  columns: readonly LineColumn[],
  take: (column: LineColumn) => readonly T[],
): T[][] {
  const all: T[][] = [];
  let current: T[] = [];
  const close = () => {
    if (current.length > 0) all.push(current);
    current = [];
  };
  for (const column of columns) {
    const taken = take(column);
    if (taken.length === 0) close();
    current.push(...taken);
    if (column.gapAfter) close();
  }
  close();
  return all;
}
