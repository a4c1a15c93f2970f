import { quantileOf } from "../calibration/running-maxima.ts";
import type { LineError } from "./line-errors.ts";
import type { Factors } from "./product-sides.ts";
import type { DataArray } from "./sums.ts";

/** Wrong lines that are made anew, the worst first: one with a wrong element is enough. */
const confirmedMax = 8;
/** An element so many times as wrong as half of its line stands out; of normal errors the largest is 5. */
const outlierFactor = 32;
/** Below this many roundings of its largest partial sum no element stands out. */
const roundingsMin = 4;
/** A line of fewer elements has no usual error: there a rounding error counts as unlikely. */
const usualFrom = 16;

export interface ConfirmQuestion {
  readonly factors: Factors;
  readonly c: DataArray;
  readonly unit: number;
  /** What no rounding of an element exceeds, in units of its scale. */
  readonly worst: number;
  readonly along: "row" | "column";
}

/**
 * Whether an element of these lines is wrong. Numbers of another kind than those learnt from, as a
 * row with one huge number or in another order, leave larger errors too, but in all elements of a
 * line alike. The lines are made anew in f64; a corruption stands out among its neighbours.
 */
export function hasWrongElement(lines: readonly LineError[], question: ConfirmQuestion): boolean {
  const excess = ({ residual, threshold }: LineError) => Math.abs(residual) / threshold;
  const worstFirst = lines.toSorted((x, y) => excess(y) - excess(x)).slice(0, confirmedMax);
  return worstFirst.some(({ index }) => {
    const errors = elementErrors(index, question);
    const limit = Math.min(question.worst, limitOf(errors, question.factors.k));
    // Written so that NaN stands out.
    return errors.some((error) => !(error <= limit));
  });
}

function limitOf(errors: readonly number[], k: number): number {
  // Higham and Mary: 8 √k roundings are exceeded by one element in 10^13; ours may have as many.
  if (errors.length < usualFrom) return 8 * Math.sqrt(2 * k);
  return Math.max(roundingsMin, outlierFactor * quantileOf(errors, 0.5));
}

/** How far the elements of a line are off, each in units of its own scale. */
function elementErrors(
  index: number,
  { factors: { m, k, n, a, b }, c, unit, along }: ConfirmQuestion,
): readonly number[] {
  return Array.from({ length: along === "row" ? n : m }, (_, place) => {
    const [row, column] = along === "row" ? [index, place] : [place, index];
    let [sum, scale] = [0, 0];
    for (let at = 0; at < k; at++) {
      const term = (a[row * k + at] as number) * (b[at * n + column] as number);
      sum += term;
      scale += Math.abs(term);
    }
    const off = Math.abs((c[row * n + column] as number) - sum);
    return off === 0 ? 0 : off / (unit * scale);
  });
}
