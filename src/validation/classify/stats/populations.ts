import { fitMixture, type Mixture } from "./mixture.ts";
import { ascending, madSigma, quantile } from "./robust.ts";

export interface PopulationOptions {
  /** Nodes a population needs to get a band of its own. @default 4 */
  readonly countMin?: number;
  /**
   * The least share of all nodes that a population needs, by how far (as a difference of
   * logarithms) it lies below a better one: firmware costs a few percent, defects may cost more.
   *
   * @default 0.15, and from 0.06 on 0.2
   */
  readonly shareMin?: (gap: number) => number;
  /** How far apart two centres must be, in standard deviations within. @default 3.5 */
  readonly gapMin?: number;
  /** The spread that repeated measurement alone explains; no population is narrower. @default 0 */
  readonly sigmaMin?: number;
}

const populationsMax = 3;
const nodesMin = 12;
/** By how much one more population must explain the levels better, in units of 2 log likelihood. */
const evidenceMin = 4;
const startsMax = 8;

/**
 * The centres of the healthy populations among the levels of nodes, ascending: one, or more where
 * the levels fall into separate groups of the same width, each with a fair share of the nodes. Two
 * groups of firmware look like that; defective nodes are few, or scattered.
 */
export function populationCentres(
  levels: readonly number[],
  options: PopulationOptions = {},
): readonly number[] {
  const sorted = ascending(levels);
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

function shareByGap(gap: number): number {
  return gap < 0.06 ? 0.15 : 0.2;
}

/** Every population is large enough and apart from its neighbours. */
function areFair(fit: Mixture, count: number, options: PopulationOptions): boolean {
  const { countMin = 4, shareMin = shareByGap, gapMin = 3.5 } = options;
  const { centres, shares, sigma } = fit;
  const best = Math.max(...centres);
  return centres.every((centre, at) => {
    const next = centres[at + 1];
    const apart = next === undefined || next - centre >= gapMin * sigma;
    const share = shares[at] ?? 0;
    return apart && share * count >= countMin - 0.5 && share >= shareMin(best - centre) - 0.02;
  });
}
