import { fieldMix, type PatternMix } from "../corruption/index.ts";
import { type CampaignScores, type PatternScores, productDetectors, shareOf } from "./types.ts";

/** Chances that an operation of a defective device is corrupted. */
export const campaignRates = [1, 1e-2, 1e-4, 1e-6, 1e-8] as const;

/**
 * The chance that at least one of n operations is seen to be wrong: 1 - (1 - sampled rate share)^n.
 *
 * @param o.sampled the share of operations that are checked @default 1
 */
export function detectedWithin(
  operations: number,
  o: { readonly rate: number; readonly share: number; readonly sampled?: number },
): number {
  const each = (o.sampled ?? 1) * o.rate * o.share;
  return each >= 1 ? Number(operations >= 1) : -Math.expm1(operations * Math.log1p(-each));
}

/** Mean time to the first detection; Infinity when nothing is ever seen. */
export function meanSecondsToDetection(o: {
  readonly rate: number;
  readonly share: number;
  readonly operationsPerSecond: number;
  readonly sampled?: number;
}): number {
  return 1 / ((o.sampled ?? 1) * o.rate * o.share * o.operationsPerSecond);
}

/** Each detector on a mix of patterns; patterns that were not scored count as not seen. */
export function campaignOf(
  scored: readonly PatternScores[],
  {
    operationsPerSecond,
    mix = fieldMix,
  }: { readonly operationsPerSecond: number; readonly mix?: PatternMix },
): readonly CampaignScores[] {
  const shares = Object.entries(mix);
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0);
  return productDetectors.map((detector) => {
    const share = shares.reduce((sum, [name, weight]) => {
      const found = scored.find(({ pattern }) => pattern === name);
      const seen = found === undefined ? 0 : shareOf(found.scores[detector]);
      return sum + (weight / total) * (Number.isNaN(seen) ? 0 : seen);
    }, 0);
    const meanSeconds = campaignRates.map((rate) =>
      meanSecondsToDetection({ rate, share, operationsPerSecond }),
    );
    return { detector, share, meanSeconds };
  });
}
