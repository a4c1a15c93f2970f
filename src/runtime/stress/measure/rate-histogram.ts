import assert from "node:assert/strict";

// Neighbouring buckets differ by this factor: what is read back is at most 0.2 % off.
const step = 1.002;
const logStep = Math.log(step);
// Rates from 1e-12 to 1e12 fit; whatever lies outside counts at the end.
const bucketMax = Math.ceil((12 * Math.LN10) / logStep);

/**
 * Counts values above 0 in buckets of equal ratio, so that days of iterations take no more memory
 * than minutes of them and their extremes are still there.
 */
export class RateHistogram {
  readonly #buckets = new Map<number, { count: number; sum: number }>();
  #count = 0;
  #mean = 0;
  #squares = 0;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    assert(value > 0 && Number.isFinite(value), "a rate is above 0");
    const bucket = Math.round(Math.log(value) / logStep);
    const kept = Math.min(bucketMax, Math.max(-bucketMax, bucket));
    const { count, sum } = this.#buckets.get(kept) ?? { count: 0, sum: 0 };
    this.#buckets.set(kept, { count: count + 1, sum: sum + value });
    this.#count++;
    const off = value - this.#mean;
    this.#mean += off / this.#count;
    this.#squares += off * (value - this.#mean);
    this.#lowest = Math.min(this.#lowest, value);
    this.#highest = Math.max(this.#highest, value);
  }

  /** The value that this share of all values do not exceed; null without values. */
  quantile(share: number): number | null {
    assert(share >= 0 && share <= 1, "a share lies between 0 and 1");
    if (this.#count === 0) return null;
    const rank = Math.max(1, Math.ceil(share * this.#count));
    if (rank === 1) return this.#lowest;
    if (rank === this.#count) return this.#highest;
    let left = rank;
    for (const [, { count, sum }] of [...this.#buckets].toSorted(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return sum / count;
    }
    return this.#highest;
  }

  /** Standard deviation over mean; null for fewer than two values. */
  variation(): number | null {
    if (this.#count < 2) return null;
    return Math.sqrt(this.#squares / (this.#count - 1)) / this.#mean;
  }
}
