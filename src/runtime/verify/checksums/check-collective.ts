import assert from "node:assert/strict";
import type { Calibration, CheckVerdict } from "../calibration/index.ts";
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
  for (const { elements, dtype } of [...contributions, ...results]) {
    assert(elements === first.elements && dtype === first.dtype, "all ranks have alike tensors");
  }
  // R - 1 roundings for each element, each at most a unit of all magnitudes together.
  const unit = unitOf(first.dtype);
  const worst = Math.max(1, contributions.length - 1) * (1 + contributions.length * unit);
  const errors = results.map((result) => largestError(result, contributions, unit));
  const largest = errors.reduce((most, error) => (error.ratio > most.ratio ? error : most));
  const profiles = [profileOfAll(contributions)];
  const answer = calibration?.judge({ ratio: largest.ratio, worst, profiles });
  const verdict = answer?.verdict ?? (largest.ratio <= worst ? "inconclusive" : "corrupt");
  const reason = answer?.reason ?? reasonWithout(largest.ratio, worst);
  const kappa = answer?.kappa ?? worst;
  const wrong = errors.filter(({ ratio }) => !(ratio <= kappa)).map(({ rank }) => rank);
  const ranks = verdict === "corrupt" ? wrong : [];
  return { verdict, reason, ranks, block: largest.block };
}

function reasonWithout(ratio: number, worst: number): string {
  return ratio <= worst
    ? "the error may be rounding; nobody has learnt how much of it is usual"
    : "the error is larger than any rounding could leave";
}

function largestError(
  result: RankSums,
  contributions: readonly RankSums[],
  unit: number,
): { readonly rank: number; readonly ratio: number; readonly block: number } {
  let [ratio, block] = [0, 0];
  for (let at = 0; at < result.sums.length; at++) {
    let [sum, size] = [0, 0];
    for (const { sums, sizes } of contributions) {
      sum += sums[at] as number;
      size += sizes[at] as number;
    }
    const off = Math.abs((result.sums[at] as number) - sum);
    // The checksums are sums in f64 themselves.
    const slack = (size + (result.sizes[at] as number)) * 2 ** -40 * unit;
    const found = off <= slack ? 0 : off / (unit * size);
    // NaN counts as the largest error there is.
    const known = found >= 0 ? found : Number.POSITIVE_INFINITY;
    if (known > ratio) [ratio, block] = [known, at];
  }
  return { rank: result.rank, ratio, block };
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

/** Whether ranks that must hold the same bits do; else which are in the minority. */
export function checkAgreement(results: readonly RankSums[]): CollectiveFinding {
  const groups = new Map<bigint, number[]>();
  for (const { rank, hash } of results) groups.set(hash, [...(groups.get(hash) ?? []), rank]);
  if (results.length < 2) {
    return { verdict: "inconclusive", reason: "there is no other rank to compare with", ranks: [] };
  }
  if (groups.size === 1)
    return { verdict: "clean", reason: "all ranks hold the same bits", ranks: [] };
  const bySize = [...groups.values()].toSorted((x, y) => y.length - x.length);
  const [most = [], second = []] = bySize;
  // Two halves accuse each other: nobody can say which one is right.
  const ranks = most.length === second.length ? bySize.flat() : bySize.slice(1).flat();
  return {
    verdict: "corrupt",
    reason: `ranks hold ${groups.size} different results`,
    ranks: ranks.toSorted((x, y) => x - y),
  };
}
