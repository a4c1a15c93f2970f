import assert from "node:assert/strict";
import { philoxGroupWords } from "../../runtime/tensor/kernels/philox/philox-group.ts";
import { exp, log } from "../../runtime/tensor/math/index.ts";
import { inverseNormal } from "../../runtime/tensor/random/inverse-normal.ts";
import type { ChanceStream } from "./chance.ts";
import type { StreamSource } from "./source.ts";
import { unitOf } from "./unit.ts";

const two32 = 2 ** 32;
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

  /** A page with room for a group of words. */
  room(): Uint32Array {
    if (this.#used === pageWords) {
      this.#page = new Uint32Array(pageWords);
      this.#used = 0;
    }
    return this.#page;
  }

  /** Takes that room, and says where in the page it ends. */
  take(): number {
    this.#used += philoxGroupWords;
    return this.#used;
  }
}

/** The stream of a key, read in order. */
export class PhiloxChance implements ChanceStream {
  // First what every draw looks at: it lies together in memory.
  readonly #words: Uint32Array;
  /** Where its words end, and where the next one is. */
  readonly #end: number;
  #next: number;
  readonly #source: StreamSource;
  readonly #entity: number;
  #groups = 0;

  /** @param entity changes one word of the counter; 0: none */
  constructor(source: StreamSource, entity: number, pages: WordPages) {
    this.#words = pages.room();
    this.#end = pages.take();
    this.#next = this.#end;
    this.#source = source;
    this.#entity = entity | 0;
  }

  uint32(): number {
    if (this.#next === this.#end) this.#refill();
    return this.#words[this.#next++] as number;
  }

  float(): number {
    if (this.#next === this.#end) this.#refill();
    const at = this.#next;
    // Both words of one group, as nearly always: in one go.
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
    const at = this.#end - philoxGroupWords;
    this.#next = at;
    this.#source.fill(this.#entity, this.#groups++, this.#words, at);
  }

  #standardExponential(): number {
    // 1 - u lies in (0, 1], where the logarithm is finite.
    return -log(1 - this.float());
  }
}
