const shownMax = 8;

/** `rank 3`, `ranks 1, 2 and 5`, and of many the first few and how many there are. */
export function listOfRanks(ranks: readonly number[]): string {
  if (ranks.length === 1) return `rank ${ranks[0]}`;
  if (ranks.length > shownMax) {
    return `ranks ${ranks.slice(0, shownMax - 1).join(", ")} and ${ranks.length - shownMax + 1} more`;
  }
  return `ranks ${ranks.slice(0, -1).join(", ")} and ${ranks.at(-1)}`;
}
