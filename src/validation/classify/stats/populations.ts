import { fitMixture, type Mixture } from "./mixture.ts";
import { ascending, madSigma, quantile } from "./robust.ts";

export interface PopulationOptions {
  /** Nodes a population needs to get a band of its own. @default 4 */
  readonly countMin?: number;
  /** The least share of all nodes that a population needs. @default 0.125 */
  readonly shareMin?: number;
  /** How far apart two centres must be, in standard deviations within. @default 3.5 */
  readonly gapMin?: number;
  /** The spread that repeated measurement alone explains; no population is narrower. @default 0 */
  readonly sigmaMin?: number;
}

const populationsMax = 3;
const nodesMin = 12;
/** By how much one more population must explain the levels better, in units of 2 log likelihood. */
const evidenceMin = 2;
const startsMax = 8;
const levelsMax = 400;

/**
 * The centres of the healthy populations among the levels of nodes, ascending: one, or more where
 * the levels fall into separate groups of the same width, each with a fair share of the nodes. Two
 * groups of firmware look like that; defective nodes are few, or scattered.
 */
export function populationCentres(
  levels: readonly number[],
  options: PopulationOptions = {},
): readonly number[] {
  const sorted = thinned(ascending(levels));
  const median = quantile(sorted, 0.5);
  const { sigmaMin = 0 } = options;
  const floor = Math.max(sigmaMin, 1e-9);
  const spread = Math.max(madSigma(sorted, median), floor);
  if (sorted.length < nodesMin) return [median];
  let best = fitMixture(sorted, { centres: [median], sigma: spread, sigmaMin: floor });
  let centres: readonly number[] = [median];
  for (let count = 2; count <= populationsMax; count++) {
    const next = bestFit(sorted, centres, floor);
    // Two more parameters: a centre and a share.
    const evidence = 2 * (next.logLikelihood - best.logLikelihood) - 2 * Math.log(sorted.length);
    if (evidence < evidenceMin || !areFair(next, sorted.length, options)) break;
    best = next;
    centres = next.centres;
  }
  return centres;
}

/** At most so many of ascending values, evenly taken: enough to see populations by. */
function thinned(sorted: Float64Array): Float64Array {
  const stride = Math.ceil(sorted.length / levelsMax);
  return stride <= 1 ? sorted : sorted.filter((_, at) => at % stride === 0);
}

/** The best mixture with one population more, from several places where it could be. */
function bestFit(sorted: Float64Array, centres: readonly number[], floor: number): Mixture {
  let best: Mixture | undefined;
  for (let start = 0; start < startsMax; start++) {
    const other = quantile(sorted, (start + 0.5) / startsMax);
    const all = [...centres, other].toSorted((a, b) => a - b);
    const gaps = all.slice(1).map((centre, at) => centre - (all[at] ?? 0));
    const sigma = Math.max(floor, Math.min(...gaps) / 5);
    const fit = fitMixture(sorted, { centres: all, sigma, sigmaMin: floor });
    if (best === undefined || fit.logLikelihood > best.logLikelihood) best = fit;
  }
  if (best === undefined) throw new Error("there is at least one start");
  return best;
}

/** Every population is large enough and apart from its neighbours. */
function areFair(fit: Mixture, count: number, options: PopulationOptions): boolean {
  const { countMin = 4, shareMin = 0.125, gapMin = 3.5 } = options;
  const { centres, shares, sigma } = fit;
  return centres.every((centre, at) => {
    const next = centres[at + 1];
    const apart = next === undefined || next - centre >= gapMin * sigma;
    const share = shares[at] ?? 0;
    return apart && share * count >= countMin - 0.5 && share >= shareMin;
  });
}
