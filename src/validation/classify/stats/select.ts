import { sortInPlace } from "./sort-in-place.ts";

/** Below this many a sort is as good. */
const partitionMin = 24;
/** Every round leaves about half; an order that defeats the pivots is sorted instead. */
const roundsMax = 64;

/**
 * Moves the first `count` values about so that the one at `place` is where sorting would put it,
 * with none greater before it and none smaller behind it. All must be numbers.
 */
export function selectInPlace(values: Float64Array, count: number, place: number): void {
  let from = 0;
  let to = count - 1;
  for (let round = 0; to - from >= partitionMin; round++) {
    if (round === roundsMax) break;
    const pivot = middleOf(values, from, to);
    let left = from;
    let right = to;
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++;
      while ((values[right] ?? 0) > pivot) right--;
      if (left > right) break;
      const held = values[left] ?? 0;
      values[left++] = values[right] ?? 0;
      values[right--] = held;
    }
    if (place <= right) to = right;
    else if (place >= left) from = left;
    else return;
  }
  sortInPlace(values, from, to + 1);
}

/** The middle one of the first, the last and the one between. */
function middleOf(values: Float64Array, from: number, to: number): number {
  const first = values[from] ?? 0;
  const between = values[(from + to) >>> 1] ?? 0;
  const last = values[to] ?? 0;
  return Math.max(Math.min(first, between), Math.min(Math.max(first, between), last));
}
