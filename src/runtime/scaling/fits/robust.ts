import { median } from "./curve.ts";
import { dot, smallestSquares } from "./small-squares.ts";

const roundsMax = 10;
/** Huber's constant: nearly all of the precision of least squares where nothing is an outlier. */
const huber = 1.345;
/** The standard deviation of normal values, of their median distance from the middle. */
const deviationOfMedian = 1.4826;
const scaleMin = 1e-4;
/** Importance that changes less than this has settled. */
const settled = 1e-3;

/**
 * Weights of at least 0 with which the rows come closest to 1: relative errors, where each row was
 * divided by what was seen. Least squares again and again, rows that lie far off counting less each
 * time, so that one bad run does not bend the law.
 */
export function fitToOne(rows: readonly (readonly number[])[]): readonly number[] {
  let importance = rows.map(() => 1);
  let solution: readonly number[] = [];
  for (let round = 0; round < roundsMax; round++) {
    solution = smallestSquares(rows, importance);
    const errors = rows.map((row) => Math.abs(dot(row, solution) - 1));
    const reach = huber * Math.max(scaleMin, deviationOfMedian * median(errors));
    const next = errors.map((error) => (error <= reach ? 1 : reach / error));
    const change = Math.max(...next.map((one, at) => Math.abs(one - (importance[at] ?? 0))));
    importance = next;
    if (change < settled) break;
  }
  return solution;
}
