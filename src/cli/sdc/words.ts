import type {
  DistributionName,
  ProductDetector,
  Score,
  SiteDetector,
} from "../../runtime/verify/bench/index.ts";
import { shareOf } from "../../runtime/verify/bench/index.ts";

/** Short names of detectors, as they stand over a column. */
export const detectorHeads: Readonly<Record<ProductDetector | SiteDetector, string>> = {
  ones: "ONES",
  "signs-1": "±1 k=1",
  "signs-2": "±1 k=2",
  "rows-columns": "ROW+COL",
  rounded: "BF16 OUT",
  twice: "TWICE",
  watch: "WATCH",
  "nan-scan": "NAN",
  linear: "LINEAR",
  hash: "HASH",
  scrub: "SCRUB",
};

/** What the short names mean. */
export const detectorNotes: readonly (readonly [string, string])[] = [
  ["ONES", "plain sums of rows, C e against A (B e), from the f32 sums"],
  ["±1 k", "sums of rows with random signs, k sets of them"],
  ["ROW+COL", "random signs over rows and over columns; places a single error and mends it"],
  [
    "BF16 OUT",
    "random signs on the product rounded to bf16; nothing is learnt, σ is the most that rounding leaves",
  ],
  ["TWICE", "the product made again in the same order, all bits compared"],
  ["WATCH", "alarm at 6 deviations of the product's norm or mean, as one watches a loss"],
  ["NAN", "a search for NaN and infinity"],
  ["LINEAR", "the ranks' checksums added up, against that of the sum"],
  ["HASH", "a hash of the bits each rank holds, compared between ranks"],
  ["SCRUB", "hashes of memory at rest, looked at again"],
];

export const distributionTitles: Readonly<Record<DistributionName, string>> = {
  normal: "N(0,1)",
  "half-normal": "|N(0,1)|",
  "log-normal": "log-normal",
};

/** A share with two digits; "-" where nobody looked. */
export function shareText(score: Score | null): string {
  return score === null || score.trials === 0 ? "-" : shareOf(score).toFixed(2);
}

const units = [
  ["y", 365.25 * 86_400],
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
  ["ms", 1e-3],
] as const;

/** A length of time with three digits: "11.6 d". */
export function secondsText(seconds: number): string {
  if (!Number.isFinite(seconds)) return "never";
  const [unit, size] = units.find(([, of]) => seconds >= of) ?? ["ms", 1e-3];
  return `${Number((seconds / size).toPrecision(3))} ${unit}`;
}

/** 10^-6 and the like as people write it: 1e-6; 1 stays 1. */
export function rateText(rate: number): string {
  return rate >= 0.01 ? String(rate) : rate.toExponential(0).replace("e-0", "e-");
}
