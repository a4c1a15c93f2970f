/** One line for each reason a title gives, with how many tests it left out. */
export function skipLines(skipped: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const titles of skipped) {
    const reason = reasonOf(titles);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `skipped ${count}: ${reason}`);
}

/** The outermost title that says why, after its file; without one, the whole name. */
function reasonOf([file = "", ...titles]: readonly string[]): string {
  const telling = titles.find((title) => /\b(skipped|needs|because|only where)\b/.test(title));
  return `${file}: ${telling ?? titles.join(" > ")}`;
}
