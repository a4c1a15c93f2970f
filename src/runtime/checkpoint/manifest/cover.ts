import type { DimSlice } from "../../dist/layout/split.ts";

/**
 * What is wrong with boxes that should cover a shape exactly once, or undefined. The boxes of a layout
 * are always all combinations of some slices of each dimension, so that nothing else is accepted; and
 * numbers are only compared, so that a length of 2^50 costs no more than one of 2.
 */
export function coverProblem(
  shape: readonly number[],
  boxes: readonly (readonly DimSlice[])[],
): string | undefined {
  let combinations = 1;
  for (const [dim, length] of shape.entries()) {
    const slices = new Map<string, DimSlice>();
    for (const box of boxes) {
      const slice = box[dim] as DimSlice;
      slices.set(sliceKey(slice), slice);
    }
    const problem = tilingProblem(length, [...slices.values()]);
    if (problem !== undefined) return `dimension ${dim}: ${problem}`;
    combinations *= slices.size;
  }
  const distinct = new Set(boxes.map((box) => box.map(sliceKey).join(" ")));
  if (distinct.size < boxes.length) return "two boxes are the same";
  if (boxes.length !== combinations) {
    return `${boxes.length} boxes are not the ${combinations} combinations of their slices`;
  }
  return undefined;
}

/** What is wrong with slices that should have every index of a dimension exactly once. */
function tilingProblem(length: number, slices: readonly DimSlice[]): string | undefined {
  const steps = new Set(slices.filter(({ count }) => count > 1).map(({ step }) => step));
  if (steps.size > 1) return "its slices have different steps";
  const [step = 1] = steps;
  const ends = new Map<number, number>();
  let covered = 0;
  for (const slice of slices.toSorted((one, other) => one.start - other.start)) {
    const { start, count } = slice;
    const last = start + (count - 1) * slice.step;
    if (last >= length) return `index ${last} is outside of ${length}`;
    // Slices of one step can only meet within the same remainder.
    const remainder = start % step;
    if (start <= (ends.get(remainder) ?? -1)) return `index ${start} is covered twice`;
    ends.set(remainder, last);
    covered += count;
  }
  return covered === length ? undefined : `${covered} of ${length} indices are covered`;
}

function sliceKey({ start, step, count }: DimSlice): string {
  return `${start}:${step}:${count}`;
}
