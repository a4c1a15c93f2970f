const rangesShownMax = 12;

/** Ranks in words: `rank 3`, `ranks 0-5, 8`. Long lists are cut. */
export function rankList(ranks: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const rank of ranks.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && rank <= last.to + 1) last.to = rank;
    else ranges.push({ from: rank, to: rank });
  }
  const shown = ranges
    .slice(0, rangesShownMax)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  if (ranges.length > shown.length) shown.push("...");
  return `${ranks.length === 1 ? "rank" : "ranks"} ${shown.join(", ")}`;
}
