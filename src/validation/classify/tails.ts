import { type Ragged, raggedOf } from "./stats/ragged.ts";
import { medianOf } from "./stats/robust.ts";
import { tailScore } from "./stats/tail-score.ts";
import { type UsualSamples, usualSamples } from "./stats/usual-samples.ts";

/** The samples of one figure of one run, as a tail sees them. */
export interface TailInput {
  /** Turned logarithms, ascending. */
  readonly logs: Float64Array;
  readonly centre: number;
  /** Whose they are, counted from 0: the runs of one node (or GPU) are left out together. */
  readonly owner: number;
  /** All samples are of one GPU, so that none of them can be another. */
  readonly ofOneGpu: boolean;
}

/** How low the low samples of runs are, against what is usual. */
export interface TailScores {
  /** For each input: about standard normal for usual runs, large for a share of slow samples. */
  readonly scores: Float64Array;
  /**
   * For each input: the share of usual samples that lie as low, for each of its samples, ascending;
   * 1 from one half on.
   */
  readonly shares: Ragged;
}

const samplesMin = 4;
/** Samples lower than 99 % of usual ones are called low. */
const lowShare = 0.01;
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
  const spreads = spreadsOf(inputs);
  const usual = learnUsualSamples(inputs, spreads);
  if (usual === undefined) return undefined;
  const shares = relativeTo(inputs, spreads);
  const scores = new Float64Array(inputs.length);
  const scratch = scratchFor(inputs);
  for (const [at, input] of inputs.entries()) {
    const lowest = lowerShares(scratch, { lists: shares, at, usual });
    scores[at] = scoreOf(scratch, input);
    const from = shares.starts[at] ?? 0;
    for (let place = 0; place < lowest; place++) shares.values[from + place] = scratch[place] ?? 1;
    shares.values.fill(1, from + lowest, shares.starts[at + 1]);
  }
  return { scores, shares };
}

/** How many of an input's samples are lower than 99 % of usual ones. */
export function lowCountOf({ shares: { values, starts } }: TailScores, at: number): number {
  return values.subarray(starts[at], starts[at + 1]).filter((share) => share < lowShare).length;
}

/** The samples of usual runs, without those of runs that are not. */
function learnUsualSamples(
  all: readonly TailInput[],
  allSpreads: Float64Array,
): UsualSamples | undefined {
  const stride = Math.ceil(all.length / learningRunsMax);
  // All runs of an owner are taken or none, because they are left out together.
  const inputs = all.filter(({ owner }) => owner % stride === 0);
  const spreads = allSpreads.filter((_, at) => (all[at]?.owner ?? 0) % stride === 0);
  const relative = relativeTo(inputs, spreads);
  const scores = new Float64Array(inputs.length);
  let kept: readonly number[] = inputs.map((_, at) => at);
  let usual = usualSamples(relative, kept);
  for (const cutScore of cutScores) {
    if (usual === undefined) return undefined;
    scoreAll(scores, { inputs, lists: relative, usual });
    const evidence = withOwners(inputs, scores);
    kept = inputs.map((_, at) => at).filter((at) => (evidence[at] ?? 0) < cutScore);
    if (kept.length < 0.4 * inputs.length) break;
    usual = usualSamples(relative, kept);
  }
  return usual;
}

function scoreAll(
  scores: Float64Array,
  {
    inputs,
    lists,
    usual,
  }: {
    readonly inputs: readonly TailInput[];
    readonly lists: Ragged;
    readonly usual: UsualSamples;
  },
): void {
  const scratch = scratchFor(inputs);
  for (const [at, input] of inputs.entries()) {
    lowerShares(scratch, { lists, at, usual });
    scores[at] = scoreOf(scratch, input);
  }
}

/** Space for the shares of any of the inputs, and the end of them. */
function scratchFor(inputs: readonly TailInput[]): Float64Array {
  return new Float64Array(inputs.reduce((most, { logs }) => Math.max(most, logs.length), 0) + 1);
}

function scoreOf(shares: Float64Array, { logs: { length }, ofOneGpu }: TailInput): number {
  if (length < samplesMin) return 0;
  return tailScore(shares, leastLowCount(length, ofOneGpu), length);
}

/**
 * For each of the lowest values of a list the share of usual ones as low, up to one half; then a 1.
 * The better half of the values only has to be there.
 *
 * @returns how many there are before the 1.
 */
function lowerShares(
  shares: Float64Array,
  {
    lists: { values, starts },
    at,
    usual: { shareBelow },
  }: { readonly lists: Ragged; readonly at: number; readonly usual: UsualSamples },
): number {
  const from = starts[at] ?? 0;
  const length = (starts[at + 1] ?? 0) - from;
  const last = Math.min(length - 1, Math.ceil(length / 2));
  let count = 0;
  for (; count <= last; count++) {
    const share = shareBelow(values[from + count] ?? 0);
    if (share >= 0.5) break;
    shares[count] = share;
  }
  shares[count] = 1;
  return count;
}

/** Each run's score, or that of all runs of its owner together when that is more. */
function withOwners(inputs: readonly TailInput[], scores: Float64Array): Float64Array {
  const ownersMax = inputs.reduce((most, { owner }) => Math.max(most, owner + 1), 0);
  const sums = new Float64Array(ownersMax);
  const counts = new Int32Array(ownersMax);
  for (const [at, { owner }] of inputs.entries()) {
    sums[owner] = (sums[owner] ?? 0) + (scores[at] ?? 0);
    counts[owner] = (counts[owner] ?? 0) + 1;
  }
  return scores.map((score, at) => {
    const { owner = 0 } = inputs[at] ?? {};
    return Math.max(score, (sums[owner] ?? 0) / Math.sqrt(counts[owner] ?? 1));
  });
}

/** Samples as distances from their run's centre, in its spread. */
function relativeTo(inputs: readonly TailInput[], spreads: Float64Array): Ragged {
  const relative = raggedOf(inputs.map(({ logs }) => logs.length));
  const { values } = relative;
  let next = 0;
  for (const [at, { logs, centre }] of inputs.entries()) {
    const spread = spreads[at] ?? 1;
    for (let place = 0; place < logs.length; place++) {
      values[next++] = ((logs[place] ?? 0) - centre) / spread;
    }
  }
  return relative;
}

/** For each input the spread that its better half shows, or the usual one where that is more. */
function spreadsOf(inputs: readonly TailInput[]): Float64Array {
  const own = Float64Array.from(inputs, betterHalfSpread);
  const usual = Math.max(medianOf(own.filter((spread) => spread > 0)) || 0, spreadMin);
  return own.map((spread, at) => {
    const count = inputs[at]?.logs.length ?? 0;
    const square = (count * spread ** 2 + priorSamples * usual ** 2) / (count + priorSamples);
    // A run steadier than most is held against the usual spread, or every wobble would count.
    return Math.max(Math.sqrt(square), usual);
  });
}

/** The standard deviation that the samples above the centre suggest: stalls do not touch it. */
function betterHalfSpread({ logs, centre }: TailInput): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < logs.length; at++) {
    const log = logs[at] ?? 0;
    if (log <= centre) continue;
    sum += log - centre;
    count++;
  }
  return count === 0 ? 0 : (sum / count) * Math.sqrt(Math.PI / 2);
}
