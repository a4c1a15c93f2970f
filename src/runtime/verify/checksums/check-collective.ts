import assert from "node:assert/strict";
import { type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import type { Calibration, CalibrationAnswer, CheckVerdict } from "../calibration/index.ts";
import type { RankSums } from "./collective-sums.ts";
import { unitOf } from "./data-of.ts";

export interface CollectiveFinding {
  readonly verdict: CheckVerdict;
  readonly reason: string;
  /** Ranks whose result is not what it must be; all of them when the sum itself is wrong. */
  readonly ranks: readonly number[];
  /** The block with the largest error, where sums were compared. */
  readonly block?: number;
}

export interface CollectiveCheck {
  /** The sum of all contributions against the result: sees what went wrong before all ranks got it. */
  readonly linear: CollectiveFinding;
  /** Bits of the result on all ranks: sees what went wrong after, however small. */
  readonly agreement: CollectiveFinding;
  readonly verdict: CheckVerdict;
}

/**
 * Judges a sum over ranks that leaves the same on all of them (all-reduce). Neither half is enough:
 * an error in the reducing half of a ring reaches all ranks alike, so their bits agree; one in the
 * gathering half may be smaller than the rounding of sums.
 *
 * @param o.calibration of this collective's rounding; without it, and until it has learnt, the sums
 * are only held against the worst that rounding could do, and answer `inconclusive` below that
 */
export function checkAllReduce(o: {
  readonly contributions: readonly RankSums[];
  readonly results: readonly RankSums[];
  readonly calibration?: Calibration;
}): CollectiveCheck {
  const linear = checkLinear(o);
  const agreement = checkAgreement(o.results);
  return { linear, agreement, verdict: worseOf(linear.verdict, agreement.verdict) };
}

const order: readonly CheckVerdict[] = ["clean", "inconclusive", "corrupt"];

function worseOf(one: CheckVerdict, other: CheckVerdict): CheckVerdict {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}

/** The sum of all ranks' checksums against the checksum of the result on each rank. */
export function checkLinear(o: {
  readonly contributions: readonly RankSums[];
  readonly results: readonly RankSums[];
  readonly calibration?: Calibration;
}): CollectiveFinding {
  const { contributions, results, calibration } = o;
  const [first] = contributions;
  assert(first !== undefined && results.length > 0, "there are contributions and results");
  for (const { elements, dtype, blockElements } of [...contributions, ...results]) {
    const isAlike = elements === first.elements && dtype === first.dtype;
    assert(isAlike && blockElements === first.blockElements, "all ranks have alike sums");
  }
  const unit = roundingOf(first.dtype);
  const worst = worstOf(first, contributions.length);
  const errors = results.map((result) => largestError(result, contributions, unit));
  const largest = errors.reduce((most, error) => (error.ratio > most.ratio ? error : most));
  const undecided = Math.max(...errors.map((error) => error.undecided));
  const profiles = [profileOfAll(contributions)];
  const peak = Math.max(...contributions.map((one) => one.peak));
  const lines = first.sums.length - undecided;
  const answer =
    calibration?.judge({ ratio: largest.ratio, worst, profiles, lines, peak }) ??
    answerWithout(largest.ratio, worst);
  const kappa = answer.kappa ?? worst;
  const wrong = errors.filter(({ ratio }) => !(ratio <= kappa)).map(({ rank }) => rank);
  if (answer.verdict !== "corrupt" && undecided > 0) {
    const reason = `${undecided} blocks have contributions that are not finite, or sums that may have overflowed`;
    return { verdict: "inconclusive", reason, ranks: [] };
  }
  const { verdict, reason } = answer;
  return { verdict, reason, ranks: verdict === "corrupt" ? wrong : [], block: largest.block };
}

/** Of one addition, and at least of the checksums, which are made in f64. Integers are added exactly. */
function roundingOf(dtype: DType): number {
  return dtypeInfo(dtype).kind === "integer" ? unitOf("f64") : unitOf(dtype);
}

/**
 * Each of R - 1 additions of an element is off by a unit of all magnitudes together at most, and so is
 * each of those that made the checksums of a block, before and after.
 */
function worstOf({ dtype, blockElements }: RankSums, ranks: number): number {
  const unit = roundingOf(dtype);
  const additions = dtypeInfo(dtype).kind === "integer" ? 0 : ranks - 1;
  const ofChecksums = ((2 * blockElements + ranks) * unitOf("f64")) / unit;
  return additions * (1 + ranks * unit) + ofChecksums;
}

function answerWithout(ratio: number, worst: number): CalibrationAnswer {
  return ratio <= worst
    ? {
        verdict: "inconclusive",
        reason: "the error may be rounding; nobody has learnt how much of it is usual",
        kappa: undefined,
      }
    : {
        verdict: "corrupt",
        reason: "the error is larger than any rounding could leave",
        kappa: undefined,
      };
}

interface BlockError {
  readonly rank: number;
  readonly ratio: number;
  readonly block: number;
  /** Blocks of which nothing can be said. */
  readonly undecided: number;
}

function largestError(
  result: RankSums,
  contributions: readonly RankSums[],
  unit: number,
): BlockError {
  const { max } = dtypeInfo(result.dtype);
  let [ratio, block, undecided] = [0, 0, 0];
  for (let at = 0; at < result.sums.length; at++) {
    let [sum, size] = [0, 0];
    for (const { sums, sizes } of contributions) {
      sum += sums[at] as number;
      size += sizes[at] as number;
    }
    const isFinite = Number.isFinite(result.sizes[at]);
    // NaN in, NaN out; and a sum that is too large is infinite.
    if (!isFinite && !(size <= max)) {
      undecided++;
      continue;
    }
    const off = Math.abs((result.sums[at] as number) - sum);
    const found = off === 0 ? 0 : off / (unit * size);
    // What is finite on one side only is as wrong as can be.
    const known = isFinite && Number.isFinite(size) ? found : Number.POSITIVE_INFINITY;
    if (known > ratio) [ratio, block] = [known, at];
  }
  return { rank: result.rank, ratio, block, undecided };
}

function profileOfAll(contributions: readonly RankSums[]): RankSums["profile"] {
  const mean = (of: (one: RankSums) => number) =>
    contributions.reduce((sum, one) => sum + of(one), 0) / contributions.length;
  return {
    spread: mean(({ profile }) => profile.spread),
    balance: mean(({ profile }) => profile.balance),
    zeros: mean(({ profile }) => profile.zeros),
    count: mean(({ profile }) => profile.count),
  };
}

/** Whether ranks that must hold the same bits do; else which differ from most, or all where no half agrees. */
export function checkAgreement(results: readonly RankSums[]): CollectiveFinding {
  const groups = new Map<bigint, number[]>();
  for (const { rank, hash } of results) groups.set(hash, [...(groups.get(hash) ?? []), rank]);
  if (results.length < 2) {
    return { verdict: "inconclusive", reason: "there is no other rank to compare with", ranks: [] };
  }
  if (groups.size === 1)
    return { verdict: "clean", reason: "all ranks hold the same bits", ranks: [] };
  const bySize = [...groups.values()].toSorted((x, y) => y.length - x.length);
  const [most = []] = bySize;
  // Without a majority all accuse each other: nobody can say which one is right.
  const ranks = 2 * most.length > results.length ? bySize.slice(1).flat() : bySize.flat();
  return {
    verdict: "corrupt",
    reason: `ranks hold ${groups.size} different results`,
    ranks: ranks.toSorted((x, y) => x - y),
  };
}
