import { splitName } from "../../validation/classify/figure-names.ts";
import { ascending, quantile } from "../../validation/classify/stats/robust.ts";
import type { CompletedFigures } from "../../validation/history/newest-figures.ts";
import { sampleLevels } from "./samples.ts";
import type { FigureMeaning } from "./sibling-runs.ts";

/** The rule about tails counts samples that are slower than all but this share of usual ones. */
const slowShare = 0.01;
/** With fewer samples their slowest hundredth is chance. */
const samplesMin = 200;

/**
 * Where the samples begin that are slower than 99 % usually are, as a share of the middle of their
 * run: GPUs of a figure together, as the rule about tails takes them. Undefined when nobody can say.
 */
export function usualTail(
  runs: readonly CompletedFigures["figures"][],
  { figure, higherIsBetter }: FigureMeaning,
): number | undefined {
  const { family } = splitName(figure);
  const shares: number[] = [];
  for (const figures of runs) {
    for (const [name, { samples, higherIsBetter: isSame }] of Object.entries(figures)) {
      if (isSame !== higherIsBetter || splitName(name).family !== family) continue;
      const middle = sampleLevels(samples)?.median ?? 0;
      if (middle <= 0) continue;
      for (const sample of samples) if (Number.isFinite(sample)) shares.push(sample / middle);
    }
  }
  if (shares.length < samplesMin) return undefined;
  return quantile(ascending(shares), higherIsBetter ? slowShare : 1 - slowShare);
}
