import assert from "node:assert/strict";

/** Nine of ten draws lie between the two. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

/** How much of the draws a band holds. */
export const bandLevel = 0.9;

/** The middle nine tenths of some values. */
export function bandOf(values: readonly number[]): Band {
  assert(values.length > 0, "a band is around something");
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return low + (high - low) * (place - Math.floor(place));
  };
  return { low: at((1 - bandLevel) / 2), high: at((1 + bandLevel) / 2) };
}
