import assert from "node:assert/strict";
import type { StreamKey } from "../../platform/rng/stream-key.ts";
import { exp, log } from "../../runtime/tensor/math/index.ts";
import { inverseNormal } from "../../runtime/tensor/random/inverse-normal.ts";
import { philoxWords } from "../../runtime/tensor/random/philox-words.ts";
import type { ChanceStream } from "./chance.ts";

const two32 = 2 ** 32;
// Made together, because one call for each word would cost more than the words.
const wordsAtOnce = 16;
// Each draw is refused with a chance below one half; 256 refusals in a row will not happen.
const drawsMax = 256;

/** The stream of a key, read in order. */
export class PhiloxChance implements ChanceStream {
  readonly #key: StreamKey;
  readonly #words = new Uint32Array(wordsAtOnce);
  #made = 0;
  #next = wordsAtOnce;

  constructor(key: StreamKey) {
    this.#key = key;
  }

  uint32(): number {
    if (this.#next === wordsAtOnce) {
      philoxWords(this.#key, this.#made, this.#words);
      this.#made += wordsAtOnce;
      this.#next = 0;
    }
    return this.#words[this.#next++] as number;
  }

  float(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 2 ** 26 + low) * 2 ** -53;
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

  #standardExponential(): number {
    // 1 - u lies in (0, 1], where the logarithm is finite.
    return -log(1 - this.float());
  }
}
