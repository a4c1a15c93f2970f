import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValues } from "../../../../src/runtime/tensor/index.ts";
import { dataOf } from "../../../../src/runtime/verify/checksums/data-of.ts";
import {
  columnSizes,
  columnSums,
  rowNorms,
  rowSizes,
  rowSums,
} from "../../../../src/runtime/verify/checksums/sums.ts";

const matrix = fc
  .record({ rows: fc.integer({ min: 1, max: 5 }), columns: fc.integer({ min: 1, max: 9 }) })
  .chain((size) =>
    fc.record({
      size: fc.constant(size),
      values: fc.array(fc.integer({ min: -9, max: 9 }), {
        minLength: size.rows * size.columns,
        maxLength: size.rows * size.columns,
      }),
    }),
  );

describe("sums of a matrix", () => {
  it("are those of its rows and columns, for every number of them", () => {
    fc.assert(
      fc.property(matrix, ({ size, values }) => {
        const x = Float32Array.from(values);
        const at = (row: number, column: number) => values[row * size.columns + column] as number;
        const rows = Array.from({ length: size.rows }, (_, row) => row);
        const columns = Array.from({ length: size.columns }, (_, column) => column);
        const across = Float64Array.from(columns, (column) => column + 1);
        const down = Float64Array.from(rows, (row) => row + 1);
        const total = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0);
        const eachRow = (of: (value: number, column: number) => number) =>
          rows.map((row) => total(columns.map((column) => of(at(row, column), column))));
        const eachColumn = (of: (value: number, row: number) => number) =>
          columns.map((column) => total(rows.map((row) => of(at(row, column), row))));
        expect([...rowSums(x, size, across)]).toEqual(eachRow((v, j) => v * (j + 1)));
        expect([...rowSizes(x, size)]).toEqual(eachRow((v) => Math.abs(v)));
        expect([...rowSizes(x, size, across)]).toEqual(eachRow((v, j) => Math.abs(v) * (j + 1)));
        expect([...columnSums(x, size, down)]).toEqual(eachColumn((v, i) => v * (i + 1)));
        expect([...columnSizes(x, size)]).toEqual(eachColumn((v) => Math.abs(v)));
        expect([...columnSizes(x, size, down)]).toEqual(
          eachColumn((v, i) => Math.abs(v) * (i + 1)),
        );
        expect([...rowNorms(x, size)]).toEqual(eachRow((v) => v * v).map(Math.sqrt));
      }),
    );
  });
});

describe("the numbers of a tensor", () => {
  it.each(["bf16", "f16", "f32", "f64", "e4m3"] as const)("are its own, in %s", (dtype) => {
    const tensor = fromValues([1.5, -2, 0, -0.125, 240, Number.NaN], { dtype });
    expect([...dataOf(tensor)]).toEqual([...tensor.toNumbers()]);
    expect([...dataOf(tensor.reshape([2, 3]).transpose())]).toEqual([
      ...tensor.reshape([2, 3]).transpose().toNumbers(),
    ]);
  });
});
