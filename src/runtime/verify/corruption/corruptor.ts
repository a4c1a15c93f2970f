import assert from "node:assert/strict";
import type { Rng } from "../../../platform/rng/index.ts";
import type { ElementChange, Grid } from "./grid.ts";
import { type PatternName, patternOf } from "./patterns.ts";

/** How likely each pattern is, as shares of 1. */
export type PatternMix = Readonly<Partial<Record<PatternName, number>>>;

/**
 * A mix after a gate-level study of GPUs: NaN and infinity are 1 %, single bits below 40 %, and most
 * errors touch a warp's lanes at a stride. The shares of the others are assumed.
 */
export const fieldMix: PatternMix = {
  "single-bit": 0.35,
  "multi-bit": 0.15,
  "warp-strided": 0.3,
  "tile-zeroed": 0.05,
  "swapped-columns": 0.02,
  "zero-sum": 0.02,
  "value-range": 0.1,
  "not-finite": 0.01,
};

export interface CorruptorOptions {
  readonly rng: Rng;
  /** The chance that an operation is corrupted, from 10^-8 up to 1. */
  readonly rate: number;
  /** @default fieldMix */
  readonly mix?: PatternMix;
}

export interface CorruptionEvent {
  readonly operation: number;
  readonly pattern: PatternName;
  readonly changes: readonly ElementChange[];
}

/** A device that computes wrongly now and then; see `createCorruptor`. */
export interface Corruptor {
  /** The number of the next operation that is corrupted, from 0. */
  readonly next: number;
  /** The operation with the next number: what happens to its result, if anything. */
  operation(grid: Grid): CorruptionEvent | undefined;
  /** Goes over operations that are known to be right; at most up to `next`. */
  skip(operations: number): void;
}

/** Corruption by seed: the same operations are hit in the same way in every run. */
export function createCorruptor(options: CorruptorOptions): Corruptor {
  const { rng, rate, mix = fieldMix } = options;
  assert(rate > 0 && rate <= 1, "a rate above 0 and up to 1");
  const when = rng.stream("corruption", "when");
  const what = rng.stream("corruption", "what");
  let operation = 0;
  let next = gapOf(rate, when.float());
  return {
    get next() {
      return next;
    },
    operation: (grid) => {
      const at = operation++;
      if (at !== next) return undefined;
      next = at + 1 + gapOf(rate, when.float());
      const pattern = drawPattern(mix, what.float());
      return { operation: at, pattern, changes: patternOf(pattern).make(grid, what) };
    },
    skip: (operations) => {
      assert(
        operations >= 0 && operation + operations <= next,
        "only right operations are skipped",
      );
      operation += operations;
    },
  };
}

/** Right operations before the next wrong one, for a chance in [0, 1): one draw, however small the rate. */
export function gapOf(rate: number, chance: number): number {
  return rate === 1 ? 0 : Math.floor(Math.log1p(-chance) / Math.log1p(-rate));
}

/** The pattern that a chance in [0, 1) falls on. */
export function drawPattern(mix: PatternMix, chance: number): PatternName {
  const shares = Object.entries(mix) as [PatternName, number][];
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  assert(total > 0, "a mix of at least one pattern");
  let left = chance * total;
  for (const [name, share] of shares) {
    left -= share;
    if (left < 0) return name;
  }
  return (shares.at(-1) as [PatternName, number])[0];
}
