import type { CheckVerdict } from "../calibration/index.ts";
import type { PatternName } from "../corruption/index.ts";

export const productDetectors = [
  "ones",
  "signs-1",
  "signs-2",
  "rows-columns",
  "rounded",
  "twice",
  "watch",
  "nan-scan",
] as const;

/** What looks at products. */
export type ProductDetector = (typeof productDetectors)[number];

export const distributionNames = ["normal", "half-normal", "log-normal"] as const;

/** Kinds of numbers: N(0, 1), its magnitudes, and signed exp(2 N(0, 1)). */
export type DistributionName = (typeof distributionNames)[number];

export const siteNames = ["product", "same-product", "reduce", "gather", "at-rest"] as const;

/** Where a bit flips: see `siteTitles`. */
export type SiteName = (typeof siteNames)[number];

export const siteDetectors = ["signs-2", "twice", "linear", "hash", "scrub", "watch"] as const;
export type SiteDetector = (typeof siteDetectors)[number];

/** So many of so many trials; a share with its standard error follows from it. */
export interface Score {
  readonly found: number;
  readonly trials: number;
}

export interface BitScores {
  readonly distribution: DistributionName;
  readonly format: "f32" | "bf16";
  readonly scores: readonly (Score & { readonly bit: number })[];
}

export interface PatternScores {
  readonly pattern: PatternName;
  readonly title: string;
  /** Events that changed nothing, as with operands outside of a range: nobody can find those. */
  readonly silent: number;
  readonly scores: Readonly<Record<ProductDetector, Score>>;
}

export interface SiteScores {
  readonly site: SiteName;
  readonly title: string;
  /** Null where a detector does not look at all. */
  readonly scores: Readonly<Record<SiteDetector, Score | null>>;
}

/** What clean data leave, and what alarms fresh clean data raise. */
export interface NoiseScores {
  readonly distribution: DistributionName;
  /** Largest errors of clean data, in units of u S; for the rounded product in the largest standard deviations. */
  readonly cleanMax: {
    readonly signs: number;
    readonly ones: number;
    readonly columns: number;
    readonly rounded: number;
  };
  /** Rows of fresh data above the threshold. */
  readonly falseAlarms: Readonly<
    Record<"ones" | "signs-1" | "signs-2" | "rows-columns" | "rounded", Score>
  >;
  /** Fresh products on which the watch of norm and mean gave alarm. */
  readonly watchAlarms: Score;
}

export interface Cost {
  readonly detector: string;
  /** In the same run, of the product (or of the copy) that is protected. */
  readonly percent: number;
  readonly of: string;
}

/** What a mixture of patterns as in the field leaves to each detector, and how long that takes. */
export interface CampaignScores {
  readonly detector: ProductDetector;
  /** The share of events that are found: measured, weighted by the mix. */
  readonly share: number;
  /** Modelled: for each rate, the mean time to the first detection; Infinity when nothing is found. */
  readonly meanSeconds: readonly number[];
}

export interface SdcBenchResult {
  readonly seed: string;
  readonly side: number;
  readonly products: number;
  readonly bitTrials: number;
  readonly patternTrials: number;
  /** What a checker says that has learnt nothing yet. */
  readonly uncalibrated: CheckVerdict;
  readonly noise: readonly NoiseScores[];
  readonly bits: readonly BitScores[];
  readonly patterns: readonly PatternScores[];
  readonly sites: readonly SiteScores[];
  readonly costs: readonly Cost[];
  readonly campaign: {
    readonly operationsPerSecond: number;
    readonly rates: readonly number[];
    readonly detectors: readonly CampaignScores[];
  };
}

/** The share that was found. */
export function shareOf({ found, trials }: Score): number {
  return trials === 0 ? Number.NaN : found / trials;
}

/** Its standard error; of none or all found, that of half a case. */
export function standardErrorOf({ found, trials }: Score): number {
  if (trials === 0) return Number.NaN;
  const share = Math.min(Math.max(found, 0.5), trials - 0.5) / trials;
  return Math.sqrt((share * (1 - share)) / trials);
}
