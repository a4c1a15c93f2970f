import { type StreamKey, streamKey } from "../../../platform/rng/stream-key.ts";

/**
 * Where random values come from: plain data that can be sent to a thread. Value i depends on this
 * and on i alone, so a tensor has the same values however it is cut up.
 */
export interface RandomSpec {
  /**
   * - `uniform`: multiples of 2^-24 in [0, 1), every one equally likely;
   * - `symmetric`: multiples of 2^-23 in [-1, 1), every one equally likely;
   * - `normal`: mean 0, standard deviation 1, up to 6.3 on either side.
   */
  readonly kind: "uniform" | "symmetric" | "normal";
  /** A number and its text are the same seed. */
  readonly seed: string | number;
  /** Different streams of a seed are unrelated. Default 0; `0` and `"0"` differ. */
  readonly stream?: string | number;
}

/**
 * The key and the upper half of the counter with which Philox4x32-10 makes the words of a spec:
 * word i is word i mod 4 of block i div 4, the same as `createRng(seed).stream("tensor", stream)`
 * gives as its i-th.
 */
export function philoxKeyOf({ seed, stream = 0 }: RandomSpec): StreamKey {
  return streamKey(String(seed), ["tensor", stream]);
}
