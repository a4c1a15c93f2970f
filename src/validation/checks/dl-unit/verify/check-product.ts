import type { DType, RandomSpec, Tensor } from "../../../../runtime/tensor/index.ts";
import type { MatrixFormat } from "../engine/formats.ts";
import { randomValues } from "./random-values.ts";
import type { Problem } from "./style.ts";
import { isNear, productTolerance } from "./tolerance.ts";

/** A random matrix, by where its values come from. */
export interface RandomMatrix {
  readonly spec: RandomSpec;
  readonly dtype: DType;
}

/**
 * Holds some elements of A Bᵀ, both random and row-major with `inner` columns, against their sums in
 * f64 of the factors as they are stored.
 */
export function checkProductSample(options: {
  readonly format: MatrixFormat;
  readonly a: RandomMatrix;
  readonly b: RandomMatrix;
  readonly inner: number;
  /** Rows of the product as the device has them, by their index. */
  readonly rows: ReadonlyMap<number, Tensor>;
  readonly columns: readonly number[];
}): readonly Problem[] {
  const { format, a, b, inner, rows, columns } = options;
  const rowOf = (matrix: RandomMatrix, index: number) =>
    randomValues(matrix, { start: index * inner, count: inner });
  const ofColumns = columns.map((column) => [column, rowOf(b, column)] as const);
  const problems: Problem[] = [];
  for (const [row, found] of rows) {
    const values = found.toNumbers();
    const left = rowOf(a, row);
    for (const [column, right] of ofColumns) {
      const { sum, magnitudes } = dot(left, right);
      const value = values[column] ?? Number.NaN;
      if (isNear(value, sum, productTolerance(format, found.dtype, magnitudes))) continue;
      const text = `element [${row}, ${column}] of a random product is ${value}, and ${sum} in f64`;
      problems.push({ style: "tolerance", text });
    }
  }
  return problems.slice(0, 1);
}

function dot(left: Float64Array, right: Float64Array) {
  let sum = 0;
  let magnitudes = 0;
  for (let k = 0; k < left.length; k++) {
    const term = (left[k] as number) * (right[k] as number);
    sum += term;
    magnitudes += Math.abs(term);
  }
  return { sum, magnitudes };
}
