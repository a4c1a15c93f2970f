import type { StreamKey } from "../../platform/rng/stream-key.ts";
import { type PhiloxGroup, philoxGroup } from "../../runtime/tensor/kernels/philox/philox-group.ts";

/** Where the words of the streams of one purpose come from. */
export class StreamSource {
  readonly #make: PhiloxGroup = philoxGroup();
  // As signed numbers, which need no object of their own.
  readonly #key0: number;
  readonly #key1: number;
  readonly #counterHigh0: number;
  readonly #counterHigh1: number;

  constructor({ key, counterHigh }: StreamKey) {
    this.#key0 = key[0] | 0;
    this.#key1 = key[1] | 0;
    this.#counterHigh0 = counterHigh[0] | 0;
    this.#counterHigh1 = counterHigh[1] | 0;
  }

  /** Puts a group of words of an entity's stream into `words`, from `at` on. */
  fill(entity: number, group: number, words: Uint32Array, at: number): void {
    const make = this.#make;
    const high1 = this.#counterHigh1 ^ entity;
    make(this.#key0, this.#key1, this.#counterHigh0, high1, group, words, at);
  }
}
