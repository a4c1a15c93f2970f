import { ops, type Tensor } from "../../tensor/index.ts";
import { dataOf, unitOf } from "../checksums/data-of.ts";
import { roundingNorms } from "../checksums/output-rounding.ts";
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
import { type Grid, nearestBf16 } from "../corruption/index.ts";

/** A right product and all that detectors keep of it, so that a change costs what it touches. */
export interface BaseProduct {
  readonly factors: Factors;
  /** The f32 product, and the same rounded to bf16. */
  readonly sums: Grid;
  readonly rounded: Grid;
  readonly rows: { readonly scales: Float64Array; readonly unit: number };
  readonly columns: { readonly scales: Float64Array; readonly unit: number };
  /** What rounding leaves in the sums of the rounded product's rows: see `roundingNorms`. */
  readonly norms: Float64Array;
  /** For the watch: the sum of all elements, and of their squares. */
  readonly total: number;
  readonly squares: number;
}

/** Weights, and how far right sums of this product are from what they must be. */
export interface Residuals {
  readonly weights: Weights;
  readonly residuals: Float64Array;
}

/** @param a in f32, as `b`; making them short again for each product would take longer than it */
export function baseProduct(a: Tensor, b: Tensor): BaseProduct {
  const values = blockedProduct(a, b);
  const [m = 0, k = 0] = a.shape;
  const n = b.shape[1] ?? 0;
  const given = { a: dataOf(a) as Float32Array, b: dataOf(b) as Float32Array };
  const factors: Factors = { m, k, n, ...given };
  const short = nearestBf16(values);
  const grid = { rows: m, columns: n, factors: { ...given, inner: k } } as const;
  let total = 0;
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    total += value;
    squares += value * value;
  }
  return {
    factors,
    sums: { ...grid, values, format: "f32" },
    rounded: { ...grid, values: short, format: "bf16" },
    rows: { scales: rowScales(factors), unit: unitOf("f32") },
    columns: { scales: columnScales(factors), unit: unitOf("f32") },
    norms: roundingNorms(short, grid, "bf16"),
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
function blockedProduct(a: Tensor, b: Tensor): Float32Array {
  const inner = a.shape[1] ?? 0;
  const partOf = (start: number) => {
    const block = { start, stop: Math.min(inner, start + innerBlock) };
    return ops.matmul(a.slice([null, block]), b.slice([block])).toRaw() as Float32Array;
  };
  // Nobody else has it, so that it can be added to.
  const sum = partOf(0);
  for (let start = innerBlock; start < inner; start += innerBlock) {
    const part = partOf(start);
    for (let at = 0; at < sum.length; at++) {
      sum[at] = (sum[at] as number) + (part[at] as number);
    }
  }
  return sum;
}

/** Of the f32 product's rows. */
export function rowResiduals(
  { factors, sums }: BaseProduct,
  weights: Weights,
  expected = expectedRows(factors, weights),
): Residuals {
  return { weights, residuals: minus(foundRows(factors, sums.values, weights), expected) };
}

/** Of the rounded product's rows. */
export function roundedResiduals(
  { factors, rounded }: BaseProduct,
  weights: Weights,
  expected = expectedRows(factors, weights),
): Residuals {
  return { weights, residuals: minus(foundRows(factors, rounded.values, weights), expected) };
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
