import { medianOf } from "./stats/robust.ts";
import { tailScore } from "./stats/tail-score.ts";
import { type UsualSamples, usualSamples } from "./stats/usual-samples.ts";

/** The samples of one figure of one run, as a tail sees them. */
export interface TailInput {
  /** Turned logarithms, ascending. */
  readonly logs: Float64Array;
  readonly centre: number;
  /** Whose they are: the runs of one node (or GPU) are left out together. */
  readonly owner: string;
  /** All samples are of one GPU, so that none of them can be another. */
  readonly ofOneGpu: boolean;
}

/** How low the low samples of runs are, against what is usual. */
export interface TailScores {
  /** For each input: about standard normal for usual runs, large for a share of slow samples. */
  readonly scores: readonly number[];
  /** For each input: the share of usual samples that lie as low, for each of its samples, ascending. */
  readonly shares: readonly Float64Array[];
  /** For each input: how many of its samples are lower than 99 % of usual ones. */
  readonly lowCounts: readonly number[];
}

const samplesMin = 4;
/** Samples that scatter less than this share of the value are as good as equal. */
const spreadMin = 0.001;
/** What is usual is learned from at most so many runs. */
const learningRunsMax = 4000;
/**
 * Runs beyond these scores do not take part in what is usual, round by round: first only clearly
 * usual runs do, so that defects cannot hide each other, then more and more.
 */
const cutScores = [1, 1.8, 2.6, 3.3] as const;
/** How many samples of its own a run needs to be measured by its own spread rather than the usual. */
const priorSamples = 16;
/** Sample counts that are probably one for each GPU, where a single low one is a slow GPU. */
const gpuCounts: ReadonlySet<number> = new Set([4, 8, 16]);

/** How many samples of a run must be low before that is a finding. */
export function leastLowCount(count: number, ofOneGpu: boolean): number {
  return gpuCounts.has(count) && !ofOneGpu ? 1 : Math.max(2, Math.ceil(0.02 * count));
}

/** Scores the tails of runs; undefined when there are too few samples to say what is usual. */
export function scoreTails(inputs: readonly TailInput[]): TailScores | undefined {
  const relative = inSpreads(inputs);
  const usual = learnUsualSamples(inputs, relative);
  if (usual === undefined) return undefined;
  const shares = relative.map((values) => lowerShares(values, usual));
  const scores = shares.map((own, at) => scoreOf(own, inputs[at]));
  const lowCounts = shares.map((own) => own.filter((share) => share < 0.01).length);
  return { scores, shares, lowCounts };
}

/** The samples of usual runs, without those of runs that are not. */
function learnUsualSamples(
  inputs: readonly TailInput[],
  relative: readonly Float64Array[],
): UsualSamples | undefined {
  const stride = Math.ceil(inputs.length / learningRunsMax);
  const owners = new Map<string, number>();
  for (const { owner } of inputs) if (!owners.has(owner)) owners.set(owner, owners.size);
  // All runs of an owner are taken or none, because they are left out together.
  const places = inputs
    .map((_, at) => at)
    .filter((at) => (owners.get(inputs[at]?.owner ?? "") ?? 0) % stride === 0);
  const some = places.flatMap((at) => inputs[at] ?? []);
  const values = places.flatMap((at) => relative[at] ?? []);
  let usual = usualSamples(values);
  for (const cutScore of cutScores) {
    if (usual === undefined) return undefined;
    const known: UsualSamples = usual;
    const scores = values.map((own, at) => scoreOf(lowerShares(own, known), some[at]));
    const evidence = withOwners(some, scores);
    const kept = values.filter((_, at) => (evidence[at] ?? 0) < cutScore);
    if (kept.length < 0.4 * values.length) break;
    usual = usualSamples(kept);
  }
  return usual;
}

function scoreOf(shares: Float64Array, input: TailInput | undefined): number {
  if (shares.length < samplesMin) return 0;
  return tailScore(shares, leastLowCount(shares.length, input?.ofOneGpu ?? false));
}

/** For each sample the share of usual ones as low; the better half only has to be there. */
function lowerShares(values: Float64Array, { shareBelow }: UsualSamples): Float64Array {
  const half = Math.ceil(values.length / 2);
  return values.map((value, at) => (at <= half ? shareBelow(value) : 1));
}

/** Each run's score, or that of all runs of its owner together when that is more. */
function withOwners(inputs: readonly TailInput[], scores: readonly number[]): readonly number[] {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [at, { owner }] of inputs.entries()) {
    const known = sums.get(owner) ?? { sum: 0, count: 0 };
    sums.set(owner, { sum: known.sum + (scores[at] ?? 0), count: known.count + 1 });
  }
  return inputs.map(({ owner }, at) => {
    const { sum = 0, count = 1 } = sums.get(owner) ?? {};
    return Math.max(scores[at] ?? 0, sum / Math.sqrt(count));
  });
}

/** Samples as distances from the run's centre, in the spread that its better half shows. */
function inSpreads(inputs: readonly TailInput[]): readonly Float64Array[] {
  const own = inputs.map(betterHalfSpread);
  const usual = Math.max(medianOf(own.filter((spread) => spread > 0)) || 0, spreadMin);
  return inputs.map(({ logs, centre }, at) => {
    const count = logs.length;
    const square =
      (count * (own[at] ?? 0) ** 2 + priorSamples * usual ** 2) / (count + priorSamples);
    // A run steadier than most is held against the usual spread, or every wobble would count.
    const spread = Math.max(Math.sqrt(square), usual);
    return logs.map((log) => (log - centre) / spread);
  });
}

/** The standard deviation that the samples above the centre suggest: stalls do not touch it. */
function betterHalfSpread({ logs, centre }: TailInput): number {
  let sum = 0;
  let count = 0;
  for (const log of logs) {
    if (log <= centre) continue;
    sum += log - centre;
    count++;
  }
  return count === 0 ? 0 : (sum / count) * Math.sqrt(Math.PI / 2);
}
