import assert from "node:assert/strict";
import { exp, log } from "../../../runtime/tensor/math/index.ts";

/** Each bin is 2 % wider than the one before: as exact as anybody needs, and never more memory. */
const ratio = 1.02;
const shortestUs = 1000;
const bins = 2048;

/** How long recoveries took, in bins, however many there were. */
export class RecoveryBook {
  readonly #counts = new Uint32Array(bins);
  #count = 0;
  #maxUs = 0;
  #sumUs = 0;

  add(durationUs: number): void {
    assert(durationUs >= 0, "a recovery takes no less than no time");
    const bin = Math.floor(log(Math.max(durationUs, shortestUs) / shortestUs) / log(ratio));
    const index = Math.min(bin, bins - 1);
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#count++;
    this.#sumUs += durationUs;
    this.#maxUs = Math.max(this.#maxUs, durationUs);
  }

  get count(): number {
    return this.#count;
  }

  get meanUs(): number | null {
    return this.#count === 0 ? null : this.#sumUs / this.#count;
  }

  get maxUs(): number | null {
    return this.#count === 0 ? null : this.#maxUs;
  }

  /** Within 1 %; null when there was none. */
  quantileUs(share: number): number | null {
    if (this.#count === 0) return null;
    let seen = 0;
    for (const [bin, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= share * this.#count) return Math.min(middleUs(bin), this.#maxUs);
    }
    return this.#maxUs;
  }

  /** How many lasted from one edge to the next; what is beyond the last edge is one more. */
  between(edgesUs: readonly number[]): readonly number[] {
    const counts = Array.from({ length: edgesUs.length + 1 }, () => 0);
    for (const [bin, count] of this.#counts.entries()) {
      const found = edgesUs.findIndex((edgeUs) => middleUs(bin) < edgeUs);
      const index = found < 0 ? edgesUs.length : found;
      counts[index] = (counts[index] as number) + count;
    }
    return counts;
  }
}

function middleUs(bin: number): number {
  return shortestUs * exp((bin + 0.5) * log(ratio));
}
