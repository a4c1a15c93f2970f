import assert from "node:assert/strict";

const toleranceRelative = 1e-12;

/**
 * The x of at least 0 that minimises |Ax - b|, by Lawson and Hanson's active set on the normal
 * equations. Rows are observations. Made for a dozen unknowns.
 */
export function nonNegativeLeastSquares(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
): number[] {
  const count = rows[0]?.length ?? 0;
  assert(rows.length === targets.length, "one target for each row");
  const gram = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (_, j) => sum(rows, (row) => at(row, i) * at(row, j))),
  );
  const right = Array.from({ length: count }, (_, i) =>
    sum(rows, (row, index) => at(row, i) * at(targets, index)),
  );
  const scale = Math.max(...right.map(Math.abs), Number.MIN_VALUE);
  let solution = Array.from({ length: count }, () => 0);
  const active = new Set<number>();
  for (let round = 0; round < 10 * count; round++) {
    const gradient = right.map((value, i) => value - dot(at(gram, i), solution));
    const entering = indexOfLargest(gradient, (i) => !active.has(i));
    if (entering === undefined || at(gradient, entering) <= toleranceRelative * scale) break;
    active.add(entering);
    solution = settle({ gram, right, active, solution });
  }
  return solution;
}

interface System {
  readonly gram: readonly (readonly number[])[];
  readonly right: readonly number[];
  readonly active: Set<number>;
  readonly solution: readonly number[];
}

/** Solves for the active unknowns, dropping those that would become negative, until none does. */
function settle(system: System): number[] {
  let solution = [...system.solution];
  while (system.active.size > 0) {
    const indices = [...system.active];
    const found = solve(
      indices.map((i) => indices.map((j) => at(at(system.gram, i), j))),
      indices.map((i) => at(system.right, i)),
    );
    if (found.every((value) => value > 0)) {
      solution = solution.map(() => 0);
      for (const [place, index] of indices.entries()) solution[index] = at(found, place);
      return solution;
    }
    let step = 1;
    for (const [place, index] of indices.entries()) {
      const now = at(solution, index);
      const wanted = at(found, place);
      if (wanted <= 0) step = Math.min(step, now / (now - wanted));
    }
    for (const [place, index] of indices.entries()) {
      const now = at(solution, index);
      const moved = now + step * (at(found, place) - now);
      solution[index] = moved;
      if (moved <= toleranceRelative * Math.max(1, Math.abs(now))) {
        solution[index] = 0;
        system.active.delete(index);
      }
    }
  }
  return solution;
}

/** Gaussian elimination with pivoting. A column that is all but dependent on others gets 0. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length;
  const work = matrix.map((row, i) => [...row, at(right, i)]);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      const larger = Math.abs(at(at(work, row), column)) > Math.abs(at(at(work, pivot), column));
      if (larger) pivot = row;
    }
    const swapped = at(work, pivot);
    work[pivot] = at(work, column);
    work[column] = swapped;
    const head = at(swapped, column);
    if (Math.abs(head) < Number.MIN_VALUE) continue;
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const target = at(work, row);
      const factor = at(target, column) / head;
      for (let k = column; k <= size; k++) target[k] = at(target, k) - factor * at(swapped, k);
    }
  }
  return work.map((row, i) => {
    const head = at(row, i);
    return Math.abs(head) < Number.MIN_VALUE ? 0 : at(row, size) / head;
  });
}

function indexOfLargest(values: readonly number[], allowed: (index: number) => boolean) {
  let best: number | undefined;
  for (const [index, value] of values.entries()) {
    if (allowed(index) && (best === undefined || value > at(values, best))) best = index;
  }
  return best;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sum(a, (value, index) => value * at(b, index));
}

function sum<T>(values: readonly T[], of: (value: T, index: number) => number): number {
  return values.reduce((total, value, index) => total + of(value, index), 0);
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  assert(value !== undefined, "index within the array");
  return value;
}
