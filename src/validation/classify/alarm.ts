import type { Mark } from "./judge-series.ts";
import type { RuleName } from "./types.ts";

/** What one statistic says about one run, before confirmation and incidents. */
export interface Alarm {
  /** The run's place in the list that is classified. */
  readonly run: number;
  readonly metric: string;
  readonly rule: RuleName;
  readonly kind: Mark["kind"];
  /** How far beyond the bound, in standard deviations. */
  readonly excess: number;
  /** In the figure's usual unit, or the statistic's own. */
  readonly value: number;
  readonly bound: number;
  /** What the numbers mean, for the sentence: `busbw is 40.1 GB/s, below 44.2 GB/s`. */
  readonly text: string;
  readonly cohort: string;
}

/** Alarms that count against a run. */
export function isBad({ kind }: Alarm): boolean {
  return kind !== "faster";
}
