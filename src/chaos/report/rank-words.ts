/** Ranks for people: the first few, and how many there are. */
export function ranksText(ranks: readonly number[]): string {
  if (ranks.length === 0) return "no rank";
  const shown = ranks.slice(0, 8).join(", ");
  const rest = ranks.length > 8 ? `, … (${ranks.length} in all)` : "";
  return `${ranks.length === 1 ? "rank" : "ranks"} ${shown}${rest}`;
}
