import { isOutside } from "./heat-range.ts";
import type { HeatMapPlot, MaybeNumber } from "./plot.ts";
import { isDrawable } from "./scale.ts";

/** What one drawn cell says; it may stand for several values. */
export interface Cell {
  readonly value: MaybeNumber;
  /** At least one of its values is out of bounds. */
  readonly outside: boolean;
}

export interface Grid {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly Cell[])[];
  readonly notes: readonly string[];
}

/** The plot's values, merged into blocks where there are more than can be drawn. */
export function gridOf(
  plot: HeatMapPlot,
  limits: { readonly rowsMax: number; readonly columnsMax: number },
): Grid {
  const rowBlock = Math.max(1, Math.ceil(plot.rows.length / limits.rowsMax));
  const columnBlock = Math.max(1, Math.ceil(plot.columns.length / limits.columnsMax));
  const rows = blockNames(plot.rows, rowBlock);
  const columns = blockNames(plot.columns, columnBlock);
  const cells = rows.map((_, row) =>
    columns.map((_, column) =>
      cellOf(blockValues(plot, { row, column, rowBlock, columnBlock }), plot),
    ),
  );
  return { rows, columns, cells, notes: notesOf(plot, rowBlock, columnBlock) };
}

function valueAt(plot: HeatMapPlot, row: number, column: number): MaybeNumber {
  const value = plot.values[row]?.[column];
  return isDrawable(value, "linear") ? value : null;
}

interface Block {
  readonly row: number;
  readonly column: number;
  readonly rowBlock: number;
  readonly columnBlock: number;
}

function blockValues(plot: HeatMapPlot, block: Block): number[] {
  const values: number[] = [];
  for (let r = 0; r < block.rowBlock; r++) {
    for (let c = 0; c < block.columnBlock; c++) {
      const value = valueAt(
        plot,
        block.row * block.rowBlock + r,
        block.column * block.columnBlock + c,
      );
      if (value !== null) values.push(value);
    }
  }
  return values;
}

function cellOf(values: readonly number[], plot: HeatMapPlot): Cell {
  if (values.length === 0) return { value: null, outside: false };
  const outside = values.some((value) => isOutside(value, plot.bounds));
  const merge = plot.merge ?? "max";
  if (merge === "mean") {
    // Each share first: the sum of large values could leave the range of a double.
    return { value: values.reduce((sum, value) => sum + value / values.length, 0), outside };
  }
  const pick = merge === "max" ? Math.max : Math.min;
  return { value: values.reduce((a, b) => pick(a, b)), outside };
}

function blockNames(names: readonly string[], block: number): string[] {
  return names.filter((_, index) => index % block === 0);
}

function notesOf(plot: HeatMapPlot, rowBlock: number, columnBlock: number): string[] {
  if (rowBlock === 1 && columnBlock === 1) return [];
  const word = { max: "largest", min: "smallest", mean: "mean" }[plot.merge ?? "max"];
  return [
    `Each cell shows the ${word} of up to ${rowBlock * columnBlock} values (${rowBlock} by ${columnBlock}).`,
  ];
}
