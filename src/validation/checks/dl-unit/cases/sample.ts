import { createRng } from "../../../../platform/rng/index.ts";

/** Some whole numbers below `length`, without repetition, in order; always the first and the last. */
export function sampleIndices(length: number, count: number, seed: string): readonly number[] {
  const chosen = new Set([0, length - 1]);
  const stream = createRng(seed).stream("dl-unit", "sample");
  // Twice as many draws as numbers wanted: a short list is better than a long search.
  for (let draw = 0; chosen.size < Math.min(count, length) && draw < 2 * count; draw++) {
    chosen.add(stream.int(length));
  }
  return [...chosen].toSorted((a, b) => a - b);
}
