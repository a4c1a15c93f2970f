/**
 * The candidate a person most likely meant, or undefined when none is near. Case, hyphens and
 * underscores do not count as differences; a swap of neighbours counts as one.
 */
export function closest(typed: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(typed);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const other = plain(candidate);
    const distance = editDistance(wanted, other);
    if (distance < bestDistance && distance <= allowedDistance(wanted, other)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The suggestion as the end of a sentence: " (did you mean `x`?)", or nothing. */
export function didYouMean(typed: string, candidates: Iterable<string>): string {
  const suggestion = closest(typed, candidates);
  return suggestion === undefined ? "" : ` (did you mean \`${suggestion}\`?)`;
}

// What people type is short; a longer text is garbage, and the distance costs its square.
const lengthMax = 64;

function plain(text: string): string {
  return text.slice(0, lengthMax).toLowerCase().replaceAll(/[-_]/g, "");
}

/** About one error in three letters, and one in short words; more would find nonsense. */
function allowedDistance(one: string, other: string): number {
  const length = Math.max(one.length, other.length);
  return length < 2 ? 0 : Math.max(1, Math.floor(length / 3));
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
