import type { RngStream } from "../../../platform/rng/index.ts";

/** Weights of a checksum, one for each element of a row. */
export type Weights = Float64Array;

/** Random signs: every element counts alike, nothing is rounded, and errors rarely cancel. */
export function randomSigns(count: number, stream: RngStream): Weights {
  const out = new Float64Array(count);
  let word = 0;
  for (let at = 0; at < count; at++) {
    if (at % 32 === 0) word = stream.uint32();
    out[at] = (word >>> (at % 32)) & 1 ? -1 : 1;
  }
  return out;
}

/** All ones: the plain sum, which errors that cancel pass by. For comparison. */
export function allOnes(count: number): Weights {
  return new Float64Array(count).fill(1);
}
