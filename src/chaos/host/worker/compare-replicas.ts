import type { JobShape } from "../../elastic/index.ts";
import { planRankOf } from "./rank-order.ts";
import type { Trouble } from "./trouble.ts";

/**
 * What ranks that must hold the same make of each other's digests.
 *
 * @param digests by rank of the world
 * @returns null when all that must be equal are; suspects are those who hold what fewest do
 */
export function comparedWith(digests: readonly string[], shape: JobShape): Trouble | null {
  const { dp, tp, pp } = shape;
  const part = tp * pp;
  const suspects: number[] = [];
  let differing = 0;
  for (let place = 0; place < part; place++) {
    const holders = new Map<string, number[]>();
    for (let replica = 0; replica < dp; replica++) {
      const rank = replica * part + place;
      const digest = digests[rank] ?? "";
      holders.set(digest, [...(holders.get(digest) ?? []), rank]);
    }
    if (holders.size === 1) continue;
    differing++;
    suspects.push(...minorityOf([...holders.values()]));
  }
  if (differing === 0) return null;
  const ranks = suspects.map((rank) => planRankOf(rank, shape)).toSorted((a, b) => a - b);
  const who = ranks.length === 0 ? "nobody can tell which" : `ranks ${ranks.join(", ")}`;
  const reason = `replicas that must be equal are not: ${who}`;
  return { cause: "comparison", suspects: ranks, reason };
}

/** All but the largest set of ranks that agree; none when two are as large. */
function minorityOf(sets: readonly (readonly number[])[]): readonly number[] {
  const most = Math.max(...sets.map(({ length }) => length));
  const largest = sets.filter(({ length }) => length === most);
  return largest.length > 1 ? [] : sets.filter((set) => set !== largest[0]).flat();
}
