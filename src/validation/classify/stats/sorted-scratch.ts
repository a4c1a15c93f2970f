import { selectInPlace } from "./select.ts";
import { sortInPlace } from "./sort-in-place.ts";

/** What is longer is rare, and must not be held for ever. */
const scratchMax = 100_000;

let scratch = new Float64Array(1024);

/**
 * A sorted copy of values in a space that the next call uses again: for what is looked at once and
 * dropped, thousands of times. Only as many entries mean anything as there are values.
 *
 * @param from where the values begin. @default 0
 * @param to where they end. @default values.length
 */
export function sortedScratch(
  values: ArrayLike<number>,
  from = 0,
  to = values.length,
): Float64Array {
  const count = to - from;
  const space = spaceOf(count);
  for (let at = 0; at < count; at++) space[at] = values[from + at] ?? Number.NaN;
  sortInPlace(space, 0, count);
  return space;
}

/**
 * The values that sorting would put at a place and at the next one; the last counts as its own next.
 * With something that is not a number among them, that comes last.
 */
export function neighboursAt(
  values: ArrayLike<number>,
  place: number,
): { readonly low: number; readonly high: number } {
  const count = values.length;
  const space = spaceOf(count);
  let areNumbers = true;
  for (let at = 0; at < count; at++) {
    const value = values[at] ?? Number.NaN;
    space[at] = value;
    if (Number.isNaN(value)) areNumbers = false;
  }
  if (areNumbers) selectInPlace(space, count, place);
  else sortInPlace(space, 0, count);
  const low = space[place] ?? Number.NaN;
  if (place + 1 >= count) return { low, high: low };
  let high = space[place + 1] ?? Number.NaN;
  if (areNumbers)
    for (let at = place + 2; at < count; at++) high = Math.min(high, space[at] ?? high);
  return { low, high };
}

function spaceOf(count: number): Float64Array {
  if (count <= scratch.length) return scratch;
  const longer = new Float64Array(2 * count);
  if (count <= scratchMax) scratch = longer;
  return longer;
}
