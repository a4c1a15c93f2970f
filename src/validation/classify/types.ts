import type { Verdict } from "../../platform/words.ts";

/** The samples of one figure of a run: iterations, or one value for each GPU. Order means nothing. */
export interface FigureSamples {
  /** Every sample as it was handed in; NaN stands for what was not a number. */
  readonly samples: Float64Array;
  readonly higherIsBetter: boolean;
  /** `GB/s`, `ms`, …; absent when the run did not say. */
  readonly unit?: string;
}

/** One execution of a check on a node, as classification needs it. */
export interface CheckRun {
  readonly node: string;
  readonly check: string;
  readonly sku: string;
  /** What the run may be compared within, beyond SKU and check: firmware, image, driver. */
  readonly cohort?: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestampMs: number;
  /** The run came to its end. Anything else is never healthy. */
  readonly completed: boolean;
  readonly figures: ReadonlyMap<string, FigureSamples>;
  /** Facts that need no statistics: wrong results, lost links. Any of them is a `fail`. */
  readonly hardFacts?: readonly string[];
}

/** One reason for a verdict, with the numbers behind it. */
export interface ClassifyFinding {
  /** The figure, or `*` when it is about the whole run. */
  readonly metric: string;
  readonly rule: RuleName;
  /** What was found, in the figure's usual unit; null when there is no number for it. */
  readonly value: number | null;
  /** What it was held against, in the same unit. */
  readonly bound: number | null;
  /** The runs it was compared with, in words. */
  readonly cohort: string;
}

/** The conclusion about one run. */
export interface ClassifiedRun {
  readonly verdict: Verdict;
  /** One sentence. */
  readonly reason: string;
  readonly findings: readonly ClassifyFinding[];
}

export const ruleNames = [
  "line",
  "incomplete",
  "garbled",
  "few-samples",
  "missing-figure",
  "implausible",
  "unit",
  "no-reference",
  "hard-fact",
  "floor",
  "band",
  "tail",
  "siblings",
  "history",
  "faster",
  "baseline",
  "incident",
] as const;
/** The rules a finding may name, in the order in which they are asked. */
export type RuleName = (typeof ruleNames)[number];
