import type { JobShape } from "../../elastic/index.ts";

/**
 * Two ways to number the ranks of a job. Plans count with tp fastest, then pp, then dp; worlds of
 * `runtime/training` with pp fastest, then tp, then dp. Rank 0 is the same in both.
 */
export function worldRankOf(rank: number, { tp, pp }: JobShape): number {
  const [dpAt, ppAt, tpAt] = [Math.floor(rank / (tp * pp)), Math.floor(rank / tp) % pp, rank % tp];
  return (dpAt * tp + tpAt) * pp + ppAt;
}

export function planRankOf(worldRank: number, { tp, pp }: JobShape): number {
  const [dpAt, tpAt, ppAt] = [
    Math.floor(worldRank / (tp * pp)),
    Math.floor(worldRank / pp) % tp,
    worldRank % pp,
  ];
  return (dpAt * pp + ppAt) * tp + tpAt;
}
