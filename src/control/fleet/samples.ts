import { ascending, quantile } from "../../validation/classify/stats/robust.ts";

/** Where samples lie: their middle, and where their lowest and highest tenths end. */
export interface SampleLevels {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

/** The levels of samples; undefined when there is none that is a number. */
export function sampleLevels(samples: readonly number[]): SampleLevels | undefined {
  // JSON has null for what was not a number.
  const sorted = ascending(samples.filter((sample) => Number.isFinite(sample)));
  if (sorted.length === 0) return undefined;
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.1),
    high: quantile(sorted, 0.9),
    samples: sorted.length,
  };
}
