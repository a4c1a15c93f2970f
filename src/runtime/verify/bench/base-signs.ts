import type { RngStream } from "../../../platform/rng/index.ts";
import { expectedRows } from "../checksums/product-sides.ts";
import { allOnes, randomSigns } from "../checksums/signs.ts";
import {
  type BaseProduct,
  columnResiduals,
  largestRatio,
  type Residuals,
  roundedResiduals,
  rowResiduals,
} from "./base-product.ts";
import type { Thresholds } from "./thresholds.ts";

/** The sums that each detector makes of one right product. */
export interface BaseSigns {
  readonly ones: Residuals;
  /** Two independent sets: the first alone, and both. */
  readonly first: Residuals;
  readonly second: Residuals;
  readonly columns: Residuals;
  readonly rounded: Residuals;
  readonly cleanRatios: {
    readonly ones: number;
    readonly signs: number;
    readonly columns: number;
    readonly rounded: number;
  };
}

export function baseSigns(product: BaseProduct, stream: RngStream): BaseSigns {
  const { m, n } = product.factors;
  const signs = randomSigns(n, stream);
  const expected = expectedRows(product.factors, signs);
  const first = rowResiduals(product, signs, expected);
  const rounded = roundedResiduals(product, signs, expected);
  const ones = rowResiduals(product, allOnes(n));
  const second = rowResiduals(product, randomSigns(n, stream));
  const columns = columnResiduals(product, randomSigns(m, stream));
  return {
    ones,
    first,
    second,
    columns,
    rounded,
    cleanRatios: {
      ones: largestRatio(ones, product.rows),
      signs: Math.max(largestRatio(first, product.rows), largestRatio(second, product.rows)),
      columns: largestRatio(columns, product.columns),
      rounded: largestRatio(rounded, roundedScale(product)),
    },
  };
}

function roundedScale({ norms }: BaseProduct) {
  return { scales: norms, unit: 1 };
}

type Counter = (product: BaseProduct, signs: BaseSigns) => number;

/** How many lines of a right product are above these thresholds, by detector. */
export function signsFor(
  thresholds: Thresholds,
): Readonly<Record<"ones" | "first" | "either" | "columns" | "rounded", Counter>> {
  return {
    ones: (product, { ones }) => countAbove([ones], product.rows, thresholds.ones),
    first: (product, { first }) => countAbove([first], product.rows, thresholds.signs),
    either: (product, { first, second }) =>
      countAbove([first, second], product.rows, thresholds.signs),
    columns: (product, { columns }) => countAbove([columns], product.columns, thresholds.columns),
    rounded: (product, { rounded }) =>
      countAbove([rounded], roundedScale(product), thresholds.rounded),
  };
}

function countAbove(
  all: readonly Residuals[],
  { scales, unit }: { readonly scales: Float64Array; readonly unit: number },
  kappa: number,
): number {
  let count = 0;
  for (let at = 0; at < scales.length; at++) {
    const most = kappa * unit * (scales[at] as number);
    if (all.some(({ residuals }) => !(Math.abs(residuals[at] as number) <= most))) count++;
  }
  return count;
}
