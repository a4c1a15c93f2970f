const rowsDefault = 10;
const columnsDefault = 60;

/** Points of a curve, all above 0. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/**
 * A curve in plain characters, both axes logarithmic. The y axis is named at its ends and the x axis
 * below. Fewer than two different sizes make no curve: nothing.
 */
export function textPlot(
  points: readonly CurvePoint[],
  options: {
    readonly x: (value: number) => string;
    readonly y: (value: number) => string;
    readonly rows?: number;
    readonly columns?: number;
  },
): readonly string[] {
  const { rows = rowsDefault, columns = columnsDefault } = options;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  if (!(left > 0 && right > left && bottom > 0)) return [];
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => " "));
  for (const { x, y } of points) {
    const column = place(x, left, right, columns);
    const row = rows - 1 - place(y, bottom, top, rows);
    const line = grid[row];
    if (line !== undefined) line[column] = "•";
  }
  const labels = [options.y(top), options.y(bottom)];
  const width = Math.max(...labels.map((label) => label.length));
  const lines = grid.map((line, row) => {
    const label = row === 0 ? options.y(top) : row === rows - 1 ? options.y(bottom) : "";
    return `${label.padStart(width)} │${line.join("").trimEnd()}`;
  });
  const [from, to] = [options.x(left), options.x(right)];
  const axis = `${" ".repeat(width)} └${"─".repeat(columns)}`;
  const below = `${" ".repeat(width + 2)}${from}${to.padStart(Math.max(1, columns - from.length))}`;
  return [...lines, axis, below];
}

function place(value: number, from: number, to: number, cells: number): number {
  if (to === from) return 0;
  const share = Math.log(value / from) / Math.log(to / from);
  return Math.min(cells - 1, Math.max(0, Math.round(share * (cells - 1))));
}
