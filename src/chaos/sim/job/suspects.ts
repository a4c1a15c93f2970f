import type { Channel, Group } from "./crew.ts";
import type { SimProcess } from "./sim-process.ts";

/** Whether anything gets through between two slots, both ways. */
export type CanTalk = (one: number, other: number) => boolean;

/**
 * Whom a rank can hold responsible, as a roll call of all ranks would tell it: follows their waiting to
 * those who wait for nobody. When what is missing are messages, it is no rank at all.
 */
export function suspectsOf(
  process: SimProcess,
  wait: Group | Channel,
  canTalk: CanTalk,
): readonly number[] {
  const { crew } = wait;
  const roots = new Set<number>();
  const seen = new Set([process.rank]);
  const open = [{ process, wait }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const rank of awaitedBy(next.process, next.wait, canTalk)) {
      if (seen.has(rank)) continue;
      seen.add(rank);
      const other = crew.members[rank];
      if (other?.wait?.crew === crew && other.isAlive && !other.isFrozen && !other.isOwed) {
        open.push({ process: other, wait: other.wait });
      } else roots.add(rank);
    }
  }
  return [...roots].toSorted((one, other) => one - other);
}

/** Who has not come, who is gone, whom it does not reach. */
function awaitedBy(
  process: SimProcess,
  wait: Group | Channel,
  canTalk: CanTalk,
): readonly number[] {
  if (!("entered" in wait)) return wait.sent > wait.taken ? [] : [wait.from];
  const missing = wait.missing();
  if (missing.length > 0) return missing;
  return wait.ranks.filter((rank) => {
    const other = wait.crew.members[rank];
    if (other === undefined || !other.isAlive) return true;
    return !canTalk(process.slot, other.slot);
  });
}
