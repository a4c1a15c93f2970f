import assert from "node:assert/strict";

/** Rows of one statement: well below the number of values that either engine takes at once. */
export const rowsMax = 500;

/** Cuts a list into parts of at most `sizeMax`, in order. */
export function* chunksOf<T>(items: readonly T[], sizeMax = rowsMax): Generator<readonly T[]> {
  assert(sizeMax > 0, "a part holds something");
  for (let start = 0; start < items.length; start += sizeMax) {
    yield items.slice(start, start + sizeMax);
  }
}
