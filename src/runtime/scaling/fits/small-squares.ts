import assert from "node:assert/strict";

const unknownsMax = 3;
/** A pivot this small against its column means that the rows do not decide. */
const pivotMin = 1e-13;

/** The sum of products. */
export function dot(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += (row[at] ?? 0) * (weights[at] ?? 0);
  return sum;
}

/**
 * The x of at least 0 that brings the rows closest to 1, for up to three unknowns: every choice of
 * which may be above 0 is tried. Far faster than a general solver, which matters as confidence draws
 * a thousand fits.
 *
 * @param importance how much each row's square counts.
 */
export function smallestSquares(
  rows: readonly (readonly number[])[],
  importance: readonly number[],
): readonly number[] {
  const size = rows[0]?.length ?? 0;
  assert(size >= 1 && size <= unknownsMax, "one to three unknowns");
  const { gram, right } = normalEquations(rows, importance, size);
  let best: readonly number[] = Array.from({ length: size }, () => 0);
  let least = 0;
  for (let chosen = 1; chosen < 2 ** size; chosen++) {
    const used = best.map((_, at) => at).filter((at) => (chosen & (1 << at)) !== 0);
    const solved = solve(used.map((i) => [...used.map((j) => gram[i]?.[j] ?? 0), right[i] ?? 0]));
    if (solved === undefined || solved.some((value) => value < 0)) continue;
    const x = best.map((_, at) => solved[used.indexOf(at)] ?? 0);
    // At the optimum of its own unknowns, a choice takes r·x off the squares.
    const value = -dot(right, x);
    if (value < least) [best, least] = [x, value];
  }
  return best;
}

function normalEquations(
  rows: readonly (readonly number[])[],
  importance: readonly number[],
  size: number,
) {
  const gram = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  const right = Array.from({ length: size }, () => 0);
  for (const [at, row] of rows.entries()) {
    const weight = importance[at] ?? 1;
    for (let i = 0; i < size; i++) {
      const scaled = weight * (row[i] ?? 0);
      right[i] = (right[i] ?? 0) + scaled;
      const line = gram[i];
      if (line === undefined) continue;
      for (let j = 0; j < size; j++) line[j] = (line[j] ?? 0) + scaled * (row[j] ?? 0);
    }
  }
  return { gram, right };
}

/** Plain least squares for a few unknowns; undefined where the rows do not decide them. */
export function leastSquares(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
): readonly number[] | undefined {
  const size = rows[0]?.length ?? 0;
  const system = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) =>
      rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0),
    ),
    rows.reduce((sum, row, at) => sum + (row[i] ?? 0) * (targets[at] ?? 0), 0),
  ]);
  return solve(system);
}

/** Gauss and Jordan on rows that end with their right side. Diagonals of such systems are pivots. */
function solve(system: number[][]): readonly number[] | undefined {
  const size = system.length;
  const sizes = system.map((row, at) => row[at] ?? 0);
  for (let column = 0; column < size; column++) {
    const pivot = system[column] ?? [];
    const head = pivot[column] ?? 0;
    if (!(head > pivotMin * (sizes[column] ?? 0))) return undefined;
    for (const [at, row] of system.entries()) {
      if (at === column) continue;
      const factor = (row[column] ?? 0) / head;
      for (let j = column; j <= size; j++) row[j] = (row[j] ?? 0) - factor * (pivot[j] ?? 0);
    }
  }
  return system.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
