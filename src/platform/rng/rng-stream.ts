import assert from "node:assert/strict";
import { philox4x32 } from "./philox.ts";
import type { StreamKey } from "./stream-key.ts";

/** A sequence of random values for one purpose. */
export interface RngStream {
  /** A whole number in [0, 2^32); the next of the sequence. */
  uint32(): number;
  /** The number that `uint32()` gives as its `index`-th, counted from 0. Does not move the stream. */
  at(index: number): number;
  /** A number in [0, 1) with 53 random bits. */
  float(): number;
  /** A whole number in [0, maxExclusive), every one equally likely. */
  int(maxExclusive: number): number;
  /** One of the items, each equally likely. There must be at least one. */
  pick<T>(items: readonly T[]): T;
  /** A copy in random order, each order equally likely. */
  shuffle<T>(items: readonly T[]): T[];
  /** Random bytes. */
  bytes(sizeBytes: number): Uint8Array;
}

const two32 = 2 ** 32;
const two53 = 2 ** 53;
// Each draw is refused with a chance below one half; 256 refusals in a row will not happen.
const drawsMax = 256;

/** The stream of a key: word i is word i mod 4 of the block with counter i div 4. */
export class PhiloxStream implements RngStream {
  readonly #key: StreamKey;
  #next = 0;
  #blockIndex = -1;
  #block: readonly number[] = [];

  constructor(key: StreamKey) {
    this.#key = key;
  }

  uint32(): number {
    return this.at(this.#next++);
  }

  at(index: number): number {
    assert(Number.isSafeInteger(index) && index >= 0, "an index is a whole number from 0");
    const blockIndex = Math.floor(index / 4);
    if (blockIndex !== this.#blockIndex) {
      const { key, counterHigh } = this.#key;
      const counter = [blockIndex % two32, Math.floor(blockIndex / two32), ...counterHigh] as const;
      this.#block = philox4x32(counter, key);
      this.#blockIndex = blockIndex;
    }
    return elementAt(this.#block, index % 4);
  }

  float(): number {
    return this.#uint53() / two53;
  }

  int(maxExclusive: number): number {
    assert(
      Number.isSafeInteger(maxExclusive) && maxExclusive >= 1,
      "the bound of a random whole number is a whole number from 1 to 2^53 - 1",
    );
    const small = maxExclusive <= two32;
    const range = small ? two32 : two53;
    // Without refusing the incomplete last round, small results would be more likely.
    const limit = range - (range % maxExclusive);
    let drawn = limit;
    for (let draws = 0; drawn >= limit; draws++) {
      assert(draws < drawsMax, "a random stream gives small numbers too");
      drawn = small ? this.uint32() : this.#uint53();
    }
    return drawn % maxExclusive;
  }

  pick<T>(items: readonly T[]): T {
    assert(items.length > 0, "there is something to pick from");
    return elementAt(items, this.int(items.length));
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.int(last + 1);
      [shuffled[last], shuffled[other]] = [elementAt(shuffled, other), elementAt(shuffled, last)];
    }
    return shuffled;
  }

  bytes(sizeBytes: number): Uint8Array {
    assert(Number.isSafeInteger(sizeBytes) && sizeBytes >= 0, "a size is a whole number from 0");
    const bytes = new Uint8Array(sizeBytes);
    for (let at = 0; at < sizeBytes; at += 4) {
      const word = this.uint32();
      for (let byte = 0; byte < 4 && at + byte < sizeBytes; byte++) {
        bytes[at + byte] = (word >>> (8 * byte)) & 0xff;
      }
    }
    return bytes;
  }

  #uint53(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return high * 2 ** 26 + low;
  }
}

function elementAt<T>(items: readonly T[], index: number): T {
  assert(index >= 0 && index < items.length, "an index within the list");
  return items[index] as T;
}
