const namedMax = 8;

/** `rank 3`, `ranks 1 and 3`, `ranks 0, 1, 2 and 40 more`. */
export function rankList(ranks: readonly number[]): string {
  if (ranks.length === 1) return `rank ${ranks[0]}`;
  const named = ranks.slice(0, namedMax);
  const more = ranks.length - named.length;
  const words = [...named.map(String), ...(more > 0 ? [`${more} more`] : [])];
  return `ranks ${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
