import assert from "node:assert/strict";
import type { StreamKey } from "../../platform/rng/stream-key.ts";
import { exp, log } from "../../runtime/tensor/math/index.ts";
import { inverseNormal } from "../../runtime/tensor/random/inverse-normal.ts";
import { philoxBlock } from "../../runtime/tensor/random/philox-words.ts";
import type { ChanceStream } from "./chance.ts";

const two32 = 2 ** 32;
/** Philox makes four words at once. */
const blockWords = 4;
const pageWords = 1024;
// Each draw is refused with a chance below one half; 256 refusals in a row will not happen.
const drawsMax = 256;

/**
 * Room for the words of many streams, side by side: thousands of streams are drawn from in turn, and what
 * lies together is read faster than an array for each.
 */
export class WordPages {
  #page = new Uint32Array(pageWords);
  #used = 0;

  /** The page to use, and where in it a block of words begins. */
  take(): { readonly page: Uint32Array; readonly at: number } {
    if (this.#used === pageWords) {
      this.#page = new Uint32Array(pageWords);
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += blockWords;
    return { page: this.#page, at };
  }
}

/** The stream of a key, read in order. */
export class PhiloxChance implements ChanceStream {
  readonly #words: Uint32Array;
  /** Where the words of its block end, and where the next one is. */
  readonly #end: number;
  #next: number;
  // As signed numbers, which need no object of their own.
  readonly #key0: number;
  readonly #key1: number;
  readonly #counterHigh0: number;
  readonly #counterHigh1: number;
  #blocks = 0;

  constructor({ key, counterHigh }: StreamKey, pages: WordPages) {
    const { page, at } = pages.take();
    this.#key0 = key[0] | 0;
    this.#key1 = key[1] | 0;
    this.#counterHigh0 = counterHigh[0] | 0;
    this.#counterHigh1 = counterHigh[1] | 0;
    this.#words = page;
    this.#end = at + blockWords;
    this.#next = this.#end;
  }

  uint32(): number {
    if (this.#next === this.#end) this.#refill();
    return this.#words[this.#next++] as number;
  }

  float(): number {
    if (this.#next === this.#end) this.#refill();
    const at = this.#next;
    // Both words of one block, as nearly always: in one go.
    if (at + 2 <= this.#end) {
      this.#next = at + 2;
      return unitOf(this.#words[at] as number, this.#words[at + 1] as number);
    }
    const high = this.uint32();
    return unitOf(high, this.uint32());
  }

  int(maxExclusive: number): number {
    if (!(Number.isSafeInteger(maxExclusive) && maxExclusive >= 1 && maxExclusive <= two32)) {
      assert.fail("the bound of a random whole number is a whole number from 1 to 2^32");
    }
    // Without refusing the incomplete last round, small results would be more likely.
    const limit = two32 - (two32 % maxExclusive);
    let drawn = limit;
    for (let draws = 0; drawn >= limit; draws++) {
      if (draws >= drawsMax) assert.fail("a random stream gives small numbers too");
      drawn = this.uint32();
    }
    return drawn % maxExclusive;
  }

  exponential(mean: number): number {
    if (!(mean >= 0 && mean < Infinity)) assert.fail("a mean is a finite number from 0");
    return mean * this.#standardExponential();
  }

  weibull(scale: number, shape: number): number {
    assert(scale >= 0 && scale < Infinity, "a scale is a finite number from 0");
    assert(shape > 0 && shape < Infinity, "a shape is a finite number above 0");
    return scale * exp(log(this.#standardExponential()) / shape);
  }

  logNormal(median: number, sigma: number): number {
    assert(median >= 0 && median < Infinity, "a median is a finite number from 0");
    assert(sigma >= 0 && sigma < Infinity, "a deviation is a finite number from 0");
    return median * exp(sigma * this.normal());
  }

  normal(): number {
    // A half added keeps the chance off 0 and 1, where the normal is infinite.
    return inverseNormal((this.uint32() + 0.5) * 2 ** -32);
  }

  bernoulli(p: number): boolean {
    if (!(p >= 0 && p <= 1)) assert.fail("a chance is a number from 0 to 1");
    return this.float() < p;
  }

  #refill(): void {
    const at = this.#end - blockWords;
    this.#next = at;
    philoxBlock(
      this.#key0,
      this.#key1,
      this.#counterHigh0,
      this.#counterHigh1,
      this.#blocks++,
      this.#words,
      at,
    );
  }

  #standardExponential(): number {
    // 1 - u lies in (0, 1], where the logarithm is finite.
    return -log(1 - this.float());
  }
}

/** In [0, 1), of the upper 27 and 26 bits. */
function unitOf(high: number, low: number): number {
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) * 2 ** -53;
}
