/** Where two lists of bits differ first, for a message that fits on a screen; undefined if nowhere. */
export function firstDifference(found: ArrayLike<number>, expected: ArrayLike<number>): unknown {
  if (found.length !== expected.length) return { lengths: [found.length, expected.length] };
  for (let index = 0; index < found.length; index++) {
    if (found[index] !== expected[index]) {
      return { index, found: found[index], expected: expected[index] };
    }
  }
  return undefined;
}
