import { studyLimits } from "../../runtime/scaling/study/model-scaling.ts";
import { scaleUsage } from "./request.ts";

const gaps: ReadonlySet<string> = new Set(["…", "...", ".."]);
const { countsMax, devicesMax } = studyLimits;

/** The counts of a report that names none. */
export const countsDefault = "1..1024";

/** Counts as people write them: `1,2,4`, `1..1024` and `1,2,…,1024`, a gap standing for doublings. */
export function deviceCountsIn(given: string): readonly number[] {
  const parts = given
    .replaceAll(/\.{2,3}|…/g, (gap) => `,${gap},`)
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const counts: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (!gaps.has(part)) {
      counts.push(countIn(part));
      continue;
    }
    const [from, to] = [counts.at(-1), parts[at + 1]];
    if (from === undefined || to === undefined || gaps.has(to)) {
      throw scaleUsage(`\`--devices ${given}\`: a gap stands between two numbers`);
    }
    for (let count = 2 * from; count < countIn(to); count *= 2) counts.push(count);
  }
  const different = [...new Set(counts)].toSorted((a, b) => a - b);
  if (different.length === 0) throw scaleUsage(`\`--devices ${given}\` names no number`);
  if (different.length > countsMax) throw scaleUsage(`--devices: more than ${countsMax} counts`);
  return different;
}

function countIn(text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= devicesMax) return value;
  throw scaleUsage(`--devices: \`${text}\` is not a whole number from 1 to ${devicesMax}`);
}
