import { studyLimits } from "./model-scaling.ts";

const gaps: ReadonlySet<string> = new Set(["…", "...", ".."]);

/** The counts of a report that names none. */
export const countsDefault = "1..1024";

/**
 * Counts as people write them: `1,2,4`, `1..1024` and `1,2,…,1024`, a gap standing for doublings.
 *
 * @returns them in rising order, or what is wrong with the text.
 */
export function parseDeviceCounts(
  given: string,
  countsMax: number = studyLimits.countsMax,
): readonly number[] | string {
  const parts = given
    .replaceAll(/\.{2,3}|…/g, (gap) => `,${gap},`)
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const counts: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (!gaps.has(part)) {
      const count = countIn(part);
      if (count === undefined) return noCount(part);
      counts.push(count);
      continue;
    }
    const [from, to] = [counts.at(-1), parts[at + 1]];
    if (from === undefined || to === undefined || gaps.has(to)) {
      return "a gap stands between two numbers";
    }
    const end = countIn(to);
    if (end === undefined) return noCount(to);
    for (let count = 2 * from; count < end; count *= 2) counts.push(count);
  }
  const different = [...new Set(counts)].toSorted((a, b) => a - b);
  if (different.length === 0) return "it names no number";
  return different.length > countsMax ? `more than ${countsMax} counts` : different;
}

function countIn(text: string): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= 1 && value <= studyLimits.devicesMax ? value : undefined;
}

function noCount(text: string): string {
  return `\`${text}\` is not a whole number from 1 to ${studyLimits.devicesMax}`;
}
