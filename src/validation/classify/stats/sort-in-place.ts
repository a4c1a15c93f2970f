/** Short stretches are sorted by insertion: for them the way to the built-in sort is the longer one. */
const insertionMax = 20;

/** Sorts a stretch of values ascending; what is not a number comes last. */
export function sortInPlace(values: Float64Array, from: number, to: number): void {
  if (to - from > insertionMax || !insertAll(values, from, to)) values.subarray(from, to).sort();
}

/** False, with all values still there, when one is not a number. */
function insertAll(values: Float64Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const value = values[at] ?? Number.NaN;
    if (Number.isNaN(value)) return false;
    let place = at;
    for (; place > from && (values[place - 1] ?? 0) > value; place--) {
      values[place] = values[place - 1] ?? 0;
    }
    values[place] = value;
  }
  return true;
}
