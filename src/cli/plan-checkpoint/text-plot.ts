import type { CurvePoint } from "../../runtime/planning/index.ts";
import { duration } from "./words.ts";

const rows = 12;
const columns = 60;

/**
 * The ETTR over the interval in plain characters: `•` the curve, `░` its band, `│` below it the
 * recommended interval. Intervals are logarithmic.
 */
export function ettrPlot(curve: readonly CurvePoint[], recommendedS: number): readonly string[] {
  const from = curve[0]?.computeS ?? 0;
  const to = curve.at(-1)?.computeS ?? 0;
  if (curve.length < 2 || !(from > 0 && to > from)) return [];
  const [bottom, top] = rangeOf(curve);
  const rowAt = (ettr: number) =>
    rows -
    1 -
    Math.min(rows - 1, Math.max(0, Math.floor(((ettr - bottom) / (top - bottom)) * rows)));
  const columnAt = (computeS: number) =>
    Math.min(columns - 1, Math.floor((Math.log(computeS / from) / Math.log(to / from)) * columns));
  const best = Math.max(0, columnAt(recommendedS));
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => " "));
  for (let column = 0; column < columns; column++) {
    const { ettr, band } = pointAt(curve, from * (to / from) ** ((column + 0.5) / columns));
    for (const [row, line] of grid.entries()) {
      if (row >= rowAt(band.high) && row <= rowAt(band.low)) line[column] = "░";
      else if (column === best && row > rowAt(band.low)) line[column] = "│";
      if (row === rowAt(ettr)) line[column] = "•";
    }
  }
  const [high, low] = [top.toFixed(2), bottom.toFixed(2)];
  const label = (row: number) => (row === 0 ? high : row === rows - 1 ? low : "").padStart(4);
  const [start, end] = [duration(from), duration(to)];
  return [
    ...grid.map((line, row) => `${label(row)} │${line.join("").trimEnd()}`),
    `     └${"─".repeat(best)}┴${"─".repeat(columns - best - 1)}`,
    `      ${start}${end.padStart(Math.max(1, columns - start.length))}`,
  ];
}

function rangeOf(curve: readonly CurvePoint[]): readonly [number, number] {
  const low = Math.min(...curve.map(({ band, ettr }) => Math.min(band.low, ettr)));
  const high = Math.max(...curve.map(({ band, ettr }) => Math.max(band.high, ettr)));
  const bottom = Math.floor(20 * low) / 20;
  return [bottom, Math.max(bottom + 0.05, Math.ceil(20 * high) / 20)];
}

/** The first point of the curve from a value on. */
function pointAt(curve: readonly CurvePoint[], computeS: number): CurvePoint {
  const found = curve.find((point) => point.computeS >= computeS) ?? curve.at(-1);
  if (found === undefined) throw new RangeError("a curve has points");
  return found;
}
