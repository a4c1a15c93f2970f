/** A number in [0, 1) of two random words: the upper 27 and 26 bits. */
export function unitOf(high: number, low: number): number {
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) * 2 ** -53;
}
