/** Ranks of one link, in the direction that bytes take. */
export type Hop = readonly [from: number, to: number];

/** The links a step uses in a group: gathers and reductions go round a ring, an exchange everywhere. */
export function* hopsOf(kind: string, group: readonly number[]): Generator<Hop> {
  for (const [position, rank] of group.entries()) {
    const others = kind === "all-to-all" ? group : [group[(position + 1) % group.length] ?? rank];
    for (const other of others) if (other !== rank) yield [rank, other];
  }
}
