import { philoxWords } from "../../tensor/random/philox-words.ts";
import { philoxKeyOf } from "../../tensor/random/random-spec.ts";
import { changingTrials } from "./changing-checksum-kernels.ts";

/** Different sets of signs in turn: columns that one set cannot tell apart, the next can. */
export const signSets = 8;

/** Bytes of one set for rows of so many elements, a bit for each element and trial. */
export function signBytes(columns: number): number {
  return changingTrials * (columns / 8);
}

/** All sets; a set bit counts its column negative. */
export function signBits(columns: number, seed: number): Uint8Array {
  const words = new Uint32Array((signSets * signBytes(columns)) / 4);
  philoxWords(philoxKeyOf({ kind: "uniform", seed, stream: "changing-product-check" }), 0, words);
  return new Uint8Array(words.buffer);
}
