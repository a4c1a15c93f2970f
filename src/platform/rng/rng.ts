import assert from "node:assert/strict";
import { PhiloxStream, type RngStream } from "./rng-stream.ts";
import { streamKey } from "./stream-key.ts";

/** Chance that can be repeated: everything random in a run comes from one seed. */
export interface Rng {
  /** The seed as text; the same text gives the same chance again. */
  readonly seed: string;
  /**
   * The stream for a purpose. What it gives depends on the seed and the purpose alone, not on which
   * streams were used before. `("a", "bc")` and `("ab", "c")` differ, and so do `1` and `"1"`. Each
   * call starts the stream from its beginning.
   */
  stream(...purpose: (string | number)[]): RngStream;
}

/**
 * Chance from a seed. A number and its text are the same seed: `createRng(42)` repeats what
 * `--seed 42` did.
 */
export function createRng(seed: string | number | bigint): Rng {
  assert(typeof seed !== "number" || Number.isFinite(seed), "a seed is a text or a finite number");
  const text = String(seed);
  return { seed: text, stream: (...purpose) => new PhiloxStream(streamKey(text, purpose)) };
}
