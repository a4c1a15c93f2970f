import { runNoise } from "./run-noise.ts";
import { type Series, valuesOf } from "./series.ts";
import { populationCentres } from "./stats/populations.ts";
import {
  ascending,
  cautiousMean,
  madSigma,
  madToSigma,
  medianOf,
  quantile,
} from "./stats/robust.ts";
import { tailDegrees } from "./tail-degrees.ts";

export interface ReferenceOptions {
  /** The least standard deviation of a run that is believed, in the unit of the values. */
  readonly sigmaMin: number;
  /** Looks for several healthy populations. */
  readonly populations: boolean;
  /** Healthy nodes may reach further to the bad side than to the good one. @default false */
  readonly skewed?: boolean;
}

/** What is usual for a statistic in a cohort: populations, and two levels of variation. */
export interface Reference {
  /** Where the healthy populations lie, ascending; at least one. */
  readonly centres: readonly number[];
  /** Standard deviation between healthy nodes. */
  readonly nodeSigma: number;
  /** Standard deviation between runs of one node; equal to the total where nothing was repeated. */
  readonly runSigma: number;
  /** Whether runs were repeated often enough to tell the two apart. */
  readonly hasRepeats: boolean;
  /** How many nodes the scale rests on, in degrees of freedom. */
  readonly degrees: number;
  /** The weight of the tails as Student's degrees of freedom; large for normal noise. */
  readonly tailDegrees: number;
  /** The level of each series, in the order given. */
  readonly levels: readonly number[];
  /** The least population each node can be of, as a place among the centres, where that is known. */
  readonly homes?: ReadonlyMap<string, number>;
}

/** The least spread between nodes, as a share of the least spread of runs. */
const nodeShareMin = 0.3;
const roundsMax = 12;
/** Nodes this far below the centre do not take part in estimating it. */
const cutSigmas = 2.8;
const badCutSigmas = 3.2;
/** Where the shoulders are heavy the middle half is the better witness; a little is lost to the cut. */
const madShare = 0.97;
/** Repeated runs count as at most this many of their standard deviations from the node's level. */
export const reachSigmas = 2;

/** Learns the reference of a statistic from all its series, defective nodes among them. */
export function learnReference(
  allSeries: readonly Series[],
  { sigmaMin, populations, skewed = false }: ReferenceOptions,
): Reference {
  const repeats = runNoise(allSeries);
  const hasRepeats = repeats !== undefined;
  const noise = hasRepeats ? Math.max(repeats.sigma, 0.95 * sigmaMin) : 0;
  const levels = allSeries.map((series) => cautiousMean(valuesOf(series), reachSigmas * noise));
  const noiseOfLevel = allSeries.map(({ points }) => noise / Math.sqrt(points.length));
  const centres = populations
    ? populationCentres(levels, { sigmaMin: Math.max(sigmaMin, medianOf(noiseOfLevel)) })
    : [medianOf(levels)];
  const levelSigmaMin = hasRepeats ? nodeShareMin * sigmaMin : sigmaMin;
  const spread = nodeSpread({ levels, noiseOfLevel, centres, sigmaMin: levelSigmaMin });
  const nodeSigma = skewed
    ? Math.max(
        spread.sigma,
        badSideSigma(levels, { ...spread, typicalNoise: medianOf(noiseOfLevel) }),
      )
    : spread.sigma;
  const total = Math.hypot(nodeSigma, noise);
  return {
    centres: spread.centres,
    nodeSigma,
    runSigma: hasRepeats ? noise : total,
    hasRepeats,
    degrees: spread.degrees,
    tailDegrees: Math.min(repeats?.tailDegrees ?? 1000, spread.tailDegrees),
    levels,
  };
}

/** The population a level belongs to: the nearest centre. */
export function nearestCentre(centres: readonly number[], level: number): number {
  let nearest = centres[0] ?? 0;
  for (const centre of centres) {
    if (Math.abs(level - centre) < Math.abs(level - nearest)) nearest = centre;
  }
  return nearest;
}

interface SpreadInput {
  readonly levels: readonly number[];
  readonly noiseOfLevel: readonly number[];
  readonly centres: readonly number[];
  readonly sigmaMin: number;
}

interface Spread {
  readonly centres: readonly number[];
  readonly sigma: number;
  readonly degrees: number;
  readonly tailDegrees: number;
}

/** The spread of healthy nodes around their centres: what is far below is left out, again and again. */
function nodeSpread({ levels, noiseOfLevel, centres, sigmaMin }: SpreadInput): Spread {
  let moved = centres;
  let members = levels.map((level) => nearestCentre(moved, level));
  let total = Math.max(
    sigmaMin,
    madSigma(
      levels.map((level, at) => level - (members[at] ?? 0)),
      0,
    ),
  );
  const typicalNoise = medianOf(noiseOfLevel);
  let kept: number[] = [];
  for (let round = 0; round < roundsMax; round++) {
    const scale = (at: number) =>
      Math.sqrt(Math.max(total ** 2 - typicalNoise ** 2, 0) + (noiseOfLevel[at] ?? 0) ** 2);
    const distance = (at: number) =>
      ((levels[at] ?? 0) - (members[at] ?? 0)) / Math.max(scale(at), sigmaMin);
    const indices = levels.map((_, at) => at).filter((at) => Math.abs(distance(at)) < cutSigmas);
    if (indices.length < Math.max(3, levels.length / 3)) break;
    moved = moved.map((centre) => {
      const own = indices.filter((at) => members[at] === centre).map((at) => levels[at] ?? 0);
      return own.length === 0 ? centre : cautiousMean(own, 1.5 * total);
    });
    members = levels.map((level) => nearestCentre(moved, level));
    kept = indices.map((at) => (levels[at] ?? 0) - (members[at] ?? 0));
    const next = Math.max(sigmaMin, trimmedSigma(kept, total), madShare * madSigma(kept, 0));
    const settled = Math.abs(next - total) < 1e-3 * total;
    total = next;
    if (settled) break;
  }
  const sigma = Math.sqrt(Math.max(total ** 2 - typicalNoise ** 2, 0));
  const good = ascending(kept.filter((offset) => offset > 0));
  return {
    centres: moved,
    sigma: Math.max(sigma, sigmaMin),
    degrees: Math.max(3, 0.8 * kept.length - moved.length),
    tailDegrees: good.length >= 30 ? goodSideDegrees({ levels, members, total }) : 1000,
  };
}

/** The standard deviation of values that were cut at `cutSigmas`, each counting up to 1.5 of it. */
function trimmedSigma(offsets: readonly number[], sigma: number): number {
  const limit = 1.5 * sigma;
  let sum = 0;
  for (const offset of offsets) sum += Math.min(Math.abs(offset), limit) ** 2;
  // The mean of min(z², 2.25) for a normal z within the cut is 0.775.
  return Math.sqrt(sum / Math.max(1, offsets.length - 1) / 0.775);
}

/**
 * The spread of healthy nodes to the bad side alone: started from the bad quartile, then of what
 * lies within reach of it, again and again.
 */
function badSideSigma(
  levels: readonly number[],
  { centres, sigma, typicalNoise }: Spread & { readonly typicalNoise: number },
): number {
  const depths = ascending(
    levels.map((level) => nearestCentre(centres, level) - level).filter((depth) => depth > 0),
  );
  // Half of the bad side lies within a quartile of all nodes, 0.6745 standard deviations.
  let scale = quantile(depths, 0.5) * madToSigma;
  for (let round = 0; round < roundsMax && depths.length > 0; round++) {
    const within = depths.filter((depth) => depth < badCutSigmas * scale);
    const next = Math.sqrt(within.reduce((sum, depth) => sum + depth ** 2, 0) / within.length);
    if (!(next > 0) || Math.abs(next - scale) < 1e-3 * scale) break;
    scale = next;
  }
  const ofNodes = Math.sqrt(Math.max(0, scale ** 2 - typicalNoise ** 2));
  return Number.isFinite(ofNodes) ? ofNodes : sigma;
}

/** Weight of the tails on the good side, where there are no defects. */
function goodSideDegrees({
  levels,
  members,
  total,
}: {
  readonly levels: readonly number[];
  readonly members: readonly number[];
  readonly total: number;
}): number {
  const offsets = levels.map((level, at) => level - (members[at] ?? 0));
  return tailDegrees(ascending(offsets.filter((offset) => offset > 0)), total);
}
