import { roundingSquare, sumRoundings } from "../checksums/output-rounding.ts";
import { type ElementChange, nearest } from "../corruption/index.ts";
import type { BaseProduct, Residuals } from "./base-product.ts";
import type { BaseSigns } from "./base-signs.ts";
import { type Thresholds, watchAlarm } from "./thresholds.ts";
import type { ProductDetector } from "./types.ts";

export interface Seen {
  readonly product: BaseProduct;
  readonly signs: BaseSigns;
  readonly thresholds: Thresholds;
}

/**
 * Which detectors see changes of a right f32 product. A sum changes by weight times change, so only
 * what the changes touch is made anew.
 */
export function detectorsThatSee(
  changes: readonly ElementChange[],
  { product, signs, thresholds }: Seen,
): Readonly<Record<ProductDetector, boolean>> {
  const { rows, columns } = product;
  const { columns: width } = product.sums;
  const inRows = (of: Residuals, kappa: number) =>
    anyAbove(of, {
      changes,
      line: (at) => Math.floor(at / width),
      place: (at) => at % width,
      mostOf: (row) => kappa * rows.unit * (rows.scales[row] as number),
    });
  const inColumns = () =>
    anyAbove(signs.columns, {
      changes,
      line: (at) => at % width,
      place: (at) => Math.floor(at / width),
      mostOf: (column) => thresholds.columns * columns.unit * (columns.scales[column] as number),
    });
  const first = inRows(signs.first, thresholds.signs);
  return {
    ones: inRows(signs.ones, thresholds.ones),
    "signs-1": first,
    "signs-2": first || inRows(signs.second, thresholds.signs),
    "rows-columns": first || inColumns(),
    rounded: roundedSees(roundedChanges(changes, product), { product, signs, thresholds }),
    // A second product of the same order has the same bits, so any difference is seen.
    twice: changes.some(({ was, is }) => !Object.is(was, is)),
    watch: watchSees(changes, { product, signs, thresholds }),
    "nan-scan": changes.some(({ is }) => !Number.isFinite(is)),
  };
}

/** Whether the check of the bf16 product calls changes of that corrupt. */
export function roundedSees(
  changes: readonly ElementChange[],
  { product, signs, thresholds }: Seen,
): boolean {
  const { columns: width } = product.rounded;
  const squares = new Map<number, number>();
  for (const { index, was, is } of changes) {
    const row = Math.floor(index / width);
    const before = squares.get(row) ?? (product.norms[row] as number) ** 2;
    squares.set(row, before + roundingSquare(is, "bf16") - roundingSquare(was, "bf16"));
  }
  const ofSums = sumRoundings(product.factors.k) * product.rows.unit;
  return anyAbove(signs.rounded, {
    changes,
    line: (at) => Math.floor(at / width),
    place: (at) => at % width,
    // What a change leaves of a norm that it made up itself may fall below 0 by rounding.
    mostOf: (row) =>
      thresholds.rounded * Math.sqrt(Math.max(0, squares.get(row) ?? 0)) +
      ofSums * (product.rows.scales[row] as number),
  });
}

function watchSees(changes: readonly ElementChange[], { product, thresholds }: Seen): boolean {
  let { total, squares } = product;
  for (const { was, is } of changes) {
    total += is - was;
    squares += is * is - was * was;
  }
  return watchAlarm(thresholds.watch, { total, squares });
}

function roundedChanges(
  changes: readonly ElementChange[],
  { rounded }: BaseProduct,
): readonly ElementChange[] {
  return changes.map(({ index, is }) => ({
    index,
    was: rounded.values[index] as number,
    is: nearest(is, "bf16"),
  }));
}

function anyAbove(
  { weights, residuals }: Residuals,
  o: {
    readonly changes: readonly ElementChange[];
    readonly line: (index: number) => number;
    readonly place: (index: number) => number;
    /** What the sum of a line may be off by. */
    readonly mostOf: (line: number) => number;
  },
): boolean {
  const moved = new Map<number, number>();
  for (const { index, was, is } of o.changes) {
    const line = o.line(index);
    const by = (weights[o.place(index)] as number) * (is - was);
    moved.set(line, (moved.get(line) ?? 0) + by);
  }
  for (const [line, by] of moved) {
    // Written so that NaN is seen, and what a change made infinite.
    const off = Math.abs((residuals[line] as number) + by);
    if (!(off <= o.mostOf(line) && Number.isFinite(off))) return true;
  }
  return false;
}
