import { philoxWords } from "../../tensor/random/philox-words.ts";
import { philoxKeyOf } from "../../tensor/random/random-spec.ts";
import { changingTrials } from "./changing-checksum-kernels.ts";

/** Different sets of signs in turn: columns that one set cannot tell apart, the next can. */
export const signSets = 8;

/**
 * Bytes of one set for rows of so many elements, a bit for each element and trial. A word has the
 * signs of four steps of 32 columns for one of the four threads of a row.
 */
export function signBytes(columns: number): number {
  return changingTrials * 16 * Math.ceil(columns / 128);
}

/** All sets; a set bit counts a column negative. */
export function signBits(columns: number, seed: number): Uint8Array {
  const words = new Uint32Array((signSets * signBytes(columns)) / 4);
  philoxWords(philoxKeyOf({ kind: "uniform", seed, stream: "changing-product-check" }), 0, words);
  return new Uint8Array(words.buffer);
}
