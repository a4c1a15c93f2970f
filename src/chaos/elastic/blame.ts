import type { TroubleCause } from "./messages.ts";

/** What is known about a generation that cannot go on. Ranks are those of that generation. */
export interface Evidence {
  readonly ranks: number;
  /** Their processes ended by themselves, or with their node, or never came. */
  readonly exited: ReadonlySet<number>;
  /** They will be taken away. */
  readonly noticed: ReadonlySet<number>;
  /** Nothing was heard of them for too long. */
  readonly silent: ReadonlySet<number>;
  /** They missed some of their beats too, when the first was silent for too long. */
  readonly fading: ReadonlySet<number>;
  readonly troubles: readonly Trouble[];
  /** All others came further than they did. */
  readonly lagging: readonly number[];
}

export interface Trouble {
  readonly rank: number;
  readonly cause: TroubleCause;
  readonly suspects: readonly number[];
}

/**
 * The ranks that are to blame, in order; none: it was congestion, storage, or nobody can tell. What was
 * seen at first hand outweighs what others suspect.
 */
export function blamedRanks(evidence: Evidence): readonly number[] {
  const blamed = new Set(evidence.noticed);
  for (const rank of withoutNotice(evidence)) blamed.add(rank);
  return [...blamed].toSorted((a, b) => a - b);
}

/** The ranks that are gone whatever others suspect: they ended, will be taken away, or their device failed. */
export function firstHandRanks({ exited, noticed, troubles }: Evidence): readonly number[] {
  const failed = troubles.filter(({ cause }) => cause === "device").map(({ rank }) => rank);
  return [...exited, ...noticed, ...failed];
}

function withoutNotice(evidence: Evidence): Iterable<number> {
  if (evidence.exited.size > 0) return evidence.exited;
  if (evidence.silent.size > 0 && !hearsFew(evidence)) return evidence.silent;
  const owners = evidence.troubles.filter(({ cause }) => cause === "device" || cause === "memory");
  if (owners.length > 0) return owners.map(({ rank }) => rank);
  const suspected = mostSuspected(evidence);
  if (suspected.length > 0) return suspected;
  // When nobody came on, the cause lies elsewhere; who is alone has nobody to blame but itself.
  const isTelling = evidence.lagging.length < evidence.ranks || evidence.ranks === 1;
  return isTelling ? evidence.lagging : [];
}

/** Who hears nothing of most others at once is cut off itself, and the silent are not to blame for that. */
function hearsFew({ ranks, silent, fading }: Evidence): boolean {
  return ranks > 1 && new Set([...silent, ...fading]).size * 2 > ranks;
}

/** Those whom most of the troubled ranks suspect. Of the suspects, who does not complain is the likelier. */
function mostSuspected({ ranks, troubles }: Evidence): readonly number[] {
  // Who waited in vain for messages alone kept others waiting, through no fault of its own.
  const victims = new Set(
    troubles
      .filter(({ cause, suspects }) => cause === "collective" && suspects.length === 0)
      .map(({ rank }) => rank),
  );
  const votes = new Map<number, Set<number>>();
  for (const { rank, suspects } of troubles) {
    for (const suspect of suspects) {
      if (suspect === rank || suspect < 0 || suspect >= ranks || victims.has(suspect)) continue;
      const voters = votes.get(suspect) ?? new Set();
      votes.set(suspect, voters.add(rank));
    }
  }
  let most = 0;
  for (const voters of votes.values()) most = Math.max(most, voters.size);
  const top = [...votes].filter(([, voters]) => voters.size === most).map(([rank]) => rank);
  const complainers = new Set(troubles.map(({ rank }) => rank));
  const quiet = top.filter((rank) => !complainers.has(rank));
  if (quiet.length > 0) return quiet;
  // Both sides of a cut accuse each other: half of the job is not to blame for a link.
  return top.length * 2 < ranks ? top : [];
}
