import { formatQuantity } from "../../platform/plots/index.ts";

export interface TextPlotOptions {
  /** What the values are, written above: `TFLOP/s`. */
  readonly unit: string;
  readonly rows?: number;
  readonly columns?: number;
}

// Noise must not fill the picture: the axis spans at least this share of the middle value.
const spanMin = 0.1;

/**
 * A rate over time in plain characters, both axes linear, each column the slowest and the fastest
 * value of its stretch. Nothing for fewer than two points.
 */
export function textPlotOver(
  points: readonly { readonly atMs: number; readonly rate: number }[],
  { unit, rows = 8, columns = 60 }: TextPlotOptions,
): readonly string[] {
  const from = points[0]?.atMs ?? 0;
  const to = points.at(-1)?.atMs ?? 0;
  if (points.length < 2 || to <= from) return [];
  const rates = points.map(({ rate }) => rate);
  const { bottom, top } = rangeOf(Math.min(...rates), Math.max(...rates));
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => " "));
  for (const { atMs, rate } of points) {
    const column = Math.min(columns - 1, Math.floor(((atMs - from) / (to - from)) * columns));
    const up = Math.min(rows - 1, Math.floor(((rate - bottom) / (top - bottom)) * rows));
    const line = grid[rows - 1 - up];
    if (line !== undefined) line[column] = "•";
  }
  const ends = [formatQuantity(top, ""), formatQuantity(bottom, "")];
  const width = Math.max(...ends.map(({ length }) => length));
  const label = (row: number) =>
    (row === 0 ? ends[0] : row === rows - 1 ? ends[1] : undefined) ?? "";
  const [start, end] = [formatQuantity(from, "ms"), formatQuantity(to, "ms")];
  return [
    `${" ".repeat(width + 2)}${unit} over time`,
    ...grid.map((line, row) => `${label(row).padStart(width)} │${line.join("").trimEnd()}`),
    `${" ".repeat(width)} └${"─".repeat(columns)}`,
    `${" ".repeat(width + 2)}${start}${end.padStart(Math.max(1, columns - start.length))}`,
  ];
}

function rangeOf(low: number, high: number): { readonly bottom: number; readonly top: number } {
  const middle = (low + high) / 2;
  const half = Math.max((high - low) / 2, (spanMin * middle) / 2, Number.MIN_VALUE) * 1.02;
  return { bottom: Math.max(0, middle - half), top: middle + half };
}
