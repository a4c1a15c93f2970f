import type { Where } from "../control/messages.ts";

/**
 * Whom ranks that wait in vain are to suspect: follows everybody's waiting to those who are in no exchange
 * themselves, or who did not even answer. When all wait, for each other and for something that is on its
 * way, it is nobody: the network is.
 *
 * @param answers by rank; undefined: did not answer
 * @param complainer the rank that asks
 */
export function suspectsOf(
  answers: readonly (Where | undefined)[],
  complainer: number,
): readonly number[] {
  const roots = new Set<number>();
  const seen = new Set([complainer]);
  const open = [complainer];
  while (open.length > 0) {
    const rank = open.pop() as number;
    const where = answers[rank];
    if (where === undefined || where.waiting === null) {
      if (rank !== complainer) roots.add(rank);
      continue;
    }
    for (const absent of absentFrom(answers, where.waiting)) {
      if (seen.has(absent)) continue;
      seen.add(absent);
      open.push(absent);
    }
  }
  return [...roots].toSorted((a, b) => a - b);
}

/** Members who have not entered the exchange that somebody waits in. */
function absentFrom(
  answers: readonly (Where | undefined)[],
  { key, members, nth }: NonNullable<Where["waiting"]>,
): readonly number[] {
  return members.filter((rank) => (answers[rank]?.entered[key] ?? 0) < nth);
}
