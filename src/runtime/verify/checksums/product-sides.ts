import type { Weights } from "./signs.ts";
import { columnSizes, columnSums, type DataArray, rowSizes, rowSums } from "./sums.ts";

/** The factors of a product, [m, k] by [k, n]. */
export interface Factors {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly a: DataArray;
  readonly b: DataArray;
}

const sizeA = ({ m, k }: Factors) => ({ rows: m, columns: k });
const sizeB = ({ k, n }: Factors) => ({ rows: k, columns: n });
const sizeC = ({ m, n }: Factors) => ({ rows: m, columns: n });

/** A (B r): what the sums of the product's rows must be. */
export function expectedRows(factors: Factors, r: Weights): Float64Array {
  return rowSums(factors.a, sizeA(factors), rowSums(factors.b, sizeB(factors), r));
}

/** |A| |B| e: what rounding errors of a row's sum are measured in. It cannot cancel. */
export function rowScales(factors: Factors): Float64Array {
  return rowSizes(factors.a, sizeA(factors), rowSizes(factors.b, sizeB(factors)));
}

/** (lᵀ A) B: what the sums of the product's columns must be. */
export function expectedColumns(factors: Factors, l: Weights): Float64Array {
  return columnSums(factors.b, sizeB(factors), columnSums(factors.a, sizeA(factors), l));
}

/** eᵀ |A| |B| */
export function columnScales(factors: Factors): Float64Array {
  return columnSizes(factors.b, sizeB(factors), columnSizes(factors.a, sizeA(factors)));
}

/** C r */
export function foundRows(factors: Factors, c: DataArray, r: Weights): Float64Array {
  return rowSums(c, sizeC(factors), r);
}

/** lᵀ C */
export function foundColumns(factors: Factors, c: DataArray, l: Weights): Float64Array {
  return columnSums(c, sizeC(factors), l);
}
