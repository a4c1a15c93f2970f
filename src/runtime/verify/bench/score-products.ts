import type { Rng, RngStream } from "../../../platform/rng/index.ts";
import { flipOneBit, type Pattern } from "../corruption/index.ts";
import { detectorsThatSee, roundedSees, type Seen } from "./see-changes.ts";
import {
  type BitScores,
  type DistributionName,
  type PatternScores,
  type ProductDetector,
  productDetectors,
  type Score,
} from "./types.ts";

/** Bits worth a column, as the published tables have them. */
export const scoredBits = {
  f32: [30, 26, 23, 22, 20, 18, 16, 14, 12, 10, 8],
  bf16: [14, 10, 8, 7, 6, 5, 4, 0],
} as const;

/** How often one flipped bit is found, bit by bit. */
export function scoreBits(
  seen: readonly Seen[],
  o: {
    readonly distribution: DistributionName;
    readonly format: "f32" | "bf16";
    readonly trials: number;
    readonly rng: Rng;
  },
): BitScores {
  const stream = o.rng.stream("bits", o.distribution, o.format);
  const scores = scoredBits[o.format].map((bit) => {
    let found = 0;
    for (let trial = 0; trial < o.trials; trial++) {
      const one = seen[trial % seen.length] as Seen;
      if (o.format === "bf16") {
        if (roundedSees(flipOneBit(one.product.rounded, bit, stream), one)) found++;
      } else if (detectorsThatSee(flipOneBit(one.product.sums, bit, stream), one)["signs-1"])
        found++;
    }
    return { bit, found, trials: o.trials };
  });
  return { distribution: o.distribution, format: o.format, scores };
}

/** How often each detector finds events of a pattern. */
export function scorePattern(
  seen: readonly Seen[],
  pattern: Pattern,
  { trials, rng }: { readonly trials: number; readonly rng: Rng },
): PatternScores {
  const stream = rng.stream("pattern", pattern.name);
  const found = new Map<ProductDetector, number>();
  let [silent, shown] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const answer = tryOnce(seen[trial % seen.length] as Seen, pattern, stream);
    if (answer === undefined) {
      silent++;
      continue;
    }
    shown++;
    for (const name of productDetectors) {
      if (answer[name]) found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  const scores = Object.fromEntries(
    productDetectors.map((name): [string, Score] => [
      name,
      { found: found.get(name) ?? 0, trials: shown },
    ]),
  ) as Record<ProductDetector, Score>;
  return { pattern: pattern.name, title: pattern.title, silent, scores };
}

function tryOnce(seen: Seen, pattern: Pattern, stream: RngStream) {
  const changes = pattern.make(seen.product.sums, stream);
  return changes.length === 0 ? undefined : detectorsThatSee(changes, seen);
}
