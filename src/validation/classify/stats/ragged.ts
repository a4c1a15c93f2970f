/** Lists of numbers, one after the other: one array where thousands would be slow. */
export interface Ragged {
  readonly values: Float64Array;
  /** Where each list starts; one entry more than there are lists, for the end of the last. */
  readonly starts: Int32Array;
}

/** Lists of these lengths, all zeros, to be filled. */
export function raggedOf(lengths: ArrayLike<number>): Ragged {
  const starts = new Int32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++) {
    starts[at + 1] = (starts[at] ?? 0) + (lengths[at] ?? 0);
  }
  return { values: new Float64Array(starts[lengths.length] ?? 0), starts };
}
