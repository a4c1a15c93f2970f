import { ops, type Tensor } from "../../tensor/index.ts";
import { dataOf, unitOf } from "../checksums/data-of.ts";
import {
  columnScales,
  expectedColumns,
  expectedRows,
  type Factors,
  foundColumns,
  foundRows,
  rowScales,
} from "../checksums/product-sides.ts";
import type { Weights } from "../checksums/signs.ts";
import { rowNorms } from "../checksums/sums.ts";
import type { Grid } from "../corruption/index.ts";

/** A right product and all that detectors keep of it, so that a change costs what it touches. */
export interface BaseProduct {
  readonly factors: Factors;
  /** The f32 product, and the same rounded to bf16. */
  readonly sums: Grid;
  readonly rounded: Grid;
  readonly rows: { readonly scales: Float64Array; readonly unit: number };
  readonly columns: { readonly scales: Float64Array; readonly unit: number };
  /** Norms of the rounded product's rows. */
  readonly norms: Float64Array;
  readonly roundedUnit: number;
  /** For the watch: the sum of all elements, and of their squares. */
  readonly total: number;
  readonly squares: number;
}

/** Weights, and how far right sums of this product are from what they must be. */
export interface Residuals {
  readonly weights: Weights;
  readonly residuals: Float64Array;
}

export function baseProduct(a: Tensor, b: Tensor): BaseProduct {
  const c = blockedProduct(a, b);
  const [m = 0, k = 0] = a.shape;
  const n = b.shape[1] ?? 0;
  const factors: Factors = { m, k, n, a: dataOf(a), b: dataOf(b) };
  const values = Float32Array.from(dataOf(c));
  const short = Float32Array.from(dataOf(c.to("bf16")));
  const given = { a: factors.a as Float32Array, b: factors.b as Float32Array, inner: k };
  const grid = { rows: m, columns: n, factors: given } as const;
  let [total, squares] = [0, 0];
  for (const value of values) {
    total += value;
    squares += value * value;
  }
  return {
    factors,
    sums: { ...grid, values, format: "f32" },
    rounded: { ...grid, values: short, format: "bf16" },
    rows: { scales: rowScales(factors), unit: unitOf("f32") },
    columns: { scales: columnScales(factors), unit: unitOf("f32") },
    norms: rowNorms(short, grid),
    roundedUnit: unitOf("bf16"),
    total,
    squares,
  };
}

/** What libraries sum in registers before they add it to the rest. */
const innerBlock = 256;

/**
 * The product as BLAS and GPUs sum it, in blocks of k: their errors are several times smaller than
 * those of one chain over all of k, which `ops.matmul` makes.
 */
export function blockedProduct(a: Tensor, b: Tensor): Tensor {
  const inner = b.shape[0] ?? 0;
  let sum: Tensor | undefined;
  for (let start = 0; start < inner; start += innerBlock) {
    const block = { start, stop: Math.min(inner, start + innerBlock) };
    const part = ops.matmul(a.slice([null, block]), b.slice([block]), { dtype: "f32" });
    sum = sum === undefined ? part : ops.add(sum, part);
  }
  return sum ?? ops.matmul(a, b, { dtype: "f32" });
}

/** Of the f32 product's rows. */
export function rowResiduals({ factors, sums }: BaseProduct, weights: Weights): Residuals {
  const residuals = minus(foundRows(factors, sums.values, weights), expectedRows(factors, weights));
  return { weights, residuals };
}

/** Of the rounded product's rows. */
export function roundedResiduals({ factors, rounded }: BaseProduct, weights: Weights): Residuals {
  const found = foundRows(factors, rounded.values, weights);
  return { weights, residuals: minus(found, expectedRows(factors, weights)) };
}

export function columnResiduals({ factors, sums }: BaseProduct, weights: Weights): Residuals {
  const found = foundColumns(factors, sums.values, weights);
  return { weights, residuals: minus(found, expectedColumns(factors, weights)) };
}

/** The largest |residual| / (unit scale). */
export function largestRatio(
  { residuals }: Residuals,
  { scales, unit }: { readonly scales: Float64Array; readonly unit: number },
): number {
  let largest = 0;
  for (let at = 0; at < residuals.length; at++) {
    largest = Math.max(
      largest,
      Math.abs(residuals[at] as number) / (unit * (scales[at] as number)),
    );
  }
  return largest;
}

function minus(x: Float64Array, y: Float64Array): Float64Array {
  return x.map((value, at) => value - (y[at] as number));
}
