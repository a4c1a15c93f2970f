/** Ranks of one link, in the direction that bytes take. */
export type Hop = readonly [from: number, to: number];

/** Each rank sends to the next, the last to the first. */
export function* ring(group: readonly number[]): Generator<Hop> {
  if (group.length < 2) return;
  for (const [at, rank] of group.entries()) {
    yield [rank, group[(at + 1) % group.length] ?? rank];
  }
}

/** From the root through all others in order. */
export function* chainFrom(group: readonly number[], root: number): Generator<Hop> {
  for (let step = 0; step + 1 < group.length; step++) {
    yield [memberAt(group, root + step), memberAt(group, root + step + 1)];
  }
}

/** The other way round: everything ends at the root. */
export function* chainTo(group: readonly number[], root: number): Generator<Hop> {
  for (const [from, to] of chainFrom(group, root)) yield [to, from];
}

/** The root and each of the others, towards it or away from it. */
export function* star(
  group: readonly number[],
  { root, towards }: { readonly root: number; readonly towards: boolean },
): Generator<Hop> {
  const centre = memberAt(group, root);
  for (const rank of group) {
    if (rank !== centre) yield towards ? [rank, centre] : [centre, rank];
  }
}

/** Everybody sends to everybody. */
export function* everyPair(group: readonly number[]): Generator<Hop> {
  for (const from of group) {
    for (const to of group) if (from !== to) yield [from, to];
  }
}

function memberAt(group: readonly number[], at: number): number {
  return group[at % group.length] ?? 0;
}
