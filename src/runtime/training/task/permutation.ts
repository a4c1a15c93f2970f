import assert from "node:assert/strict";
import { createRng, type RngStream } from "../../../platform/rng/index.ts";

const rounds = 4;

/**
 * The order of an epoch as a function of the place, without a list of the whole: a Feistel network
 * over the next power of four, walked on from results that are outside. Every number below `count`
 * comes once.
 */
export function createPermutation(o: {
  readonly count: number;
  readonly seed: string;
  readonly epoch: number;
}): (place: number) => number {
  const { count, seed, epoch } = o;
  assert(Number.isSafeInteger(count) && count >= 1 && count <= 2 ** 30, "1 to 2^30 samples");
  const halfBits = Math.max(1, Math.ceil(Math.log2(count) / 2));
  const rng = createRng(seed);
  const keys = Array.from({ length: rounds }, (_, round) => rng.stream("order", epoch, round));
  // A cycle of the network is no longer than its domain, and comes back to where it began.
  const walksMax = 4 ** halfBits;
  return (place) => {
    assert(Number.isInteger(place) && place >= 0 && place < count, "a place within the epoch");
    let value = place;
    for (let walks = 0; walks < walksMax; walks++) {
      value = feistel(value, halfBits, keys);
      if (value < count) return value;
    }
    throw new assert.AssertionError({ message: "a walk within a permutation comes back" });
  };
}

function feistel(value: number, halfBits: number, keys: readonly RngStream[]): number {
  const mask = 2 ** halfBits - 1;
  let left = value >>> halfBits;
  let right = value & mask;
  for (const key of keys) [left, right] = [right, (left ^ key.at(right)) & mask];
  return left * 2 ** halfBits + right;
}
