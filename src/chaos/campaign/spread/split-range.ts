import assert from "node:assert/strict";

/** Runs of a campaign, from the first up to but without the last. */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}

/** What one task makes: ranges in their order. */
export type RunRanges = readonly RunRange[];

/** With those that cutting adds they fit into an environment variable, of which Linux takes 128 KiB. */
const stretchesMax = 3000;
const namedMax = 10;

/** Cuts a range into so many of nearly the same length; fewer where there are fewer runs. */
export function splitRange({ from, to }: RunRange, count: number): readonly RunRange[] {
  assert(count >= 1 && to > from, "there is something to split");
  const parts = Math.min(count, to - from);
  const cut = (at: number) => from + Math.floor(((to - from) * at) / parts);
  return Array.from({ length: parts }, (_, at) => ({ from: cut(at), to: cut(at + 1) }));
}

/** What of a range is not among these indexes, as stretches. */
export function missingIn({ from, to }: RunRange, known: ReadonlySet<number>): readonly RunRange[] {
  const missing: { from: number; to: number }[] = [];
  for (let index = from; index < to; index++) {
    if (known.has(index)) continue;
    const last = missing.at(-1);
    if (last?.to === index) last.to = index + 1;
    else missing.push({ from: index, to: index + 1 });
  }
  return missing;
}

/**
 * Cuts stretches into so many tasks with nearly as many runs each; fewer where there are fewer runs. However
 * many stretches there are, there are no more tasks: one may have several.
 */
export function splitStretches(stretches: RunRanges, count: number): readonly RunRanges[] {
  const few = joinNearest(stretches);
  const total = runCount(few);
  if (total === 0) return [];
  return splitRange({ from: 0, to: total }, count).map((piece) => cutOut(few, piece));
}

/** How many runs these are. */
export function runCount(ranges: RunRanges): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** From the first run of all to the last. */
export function spanOf(ranges: RunRanges): RunRange {
  const [first, last] = [ranges[0], ranges.at(-1)];
  assert(first !== undefined && last !== undefined, "a task has runs");
  return { from: first.from, to: last.to };
}

/** For people, who do not want to read thousands. */
export function nameRanges(ranges: RunRanges): string {
  const names = ranges.slice(0, namedMax).map(({ from, to }) => `${from}:${to}`);
  const more = ranges.length - names.length;
  return more === 0 ? names.join(", ") : `${names.join(", ")} and ${more} more`;
}

/** `0:250,250:500+600:700`, a task for each comma, for an environment variable. */
export function rangesText(tasks: readonly RunRanges[]): string {
  return tasks.map((ranges) => ranges.map(({ from, to }) => `${from}:${to}`).join("+")).join(",");
}

/** The ranges of one place in such a text; undefined when there are none. */
export function rangesAt(text: string, place: number): RunRanges | undefined {
  const ranges: RunRange[] = [];
  for (const word of (text.split(",")[place] ?? "").split("+")) {
    const [, first, last] = /^(\d{1,15}):(\d{1,15})$/.exec(word) ?? [];
    const [from, to] = [Number(first), Number(last)];
    // Also where one of them is no number.
    if (!(from < to && from >= (ranges.at(-1)?.to ?? 0))) return undefined;
    ranges.push({ from, to });
  }
  return ranges;
}

/** Of too many stretches the nearest become one: the few runs between them are made again. */
function joinNearest(stretches: RunRanges): RunRanges {
  const gaps = stretches.map(({ from }, at) => ({ at, runs: from - (stretches[at - 1]?.to ?? 0) }));
  const nearest = gaps
    .slice(1)
    .toSorted((one, other) => one.runs - other.runs)
    .slice(0, Math.max(0, stretches.length - stretchesMax));
  const isClosed = new Set(nearest.map(({ at }) => at));
  const joined: { from: number; to: number }[] = [];
  for (const [at, { from, to }] of stretches.entries()) {
    const last = joined.at(-1);
    if (last !== undefined && isClosed.has(at)) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

/** Those of the runs that are at these places when all are counted through. */
function cutOut(stretches: RunRanges, places: RunRange): RunRanges {
  const ranges: RunRange[] = [];
  let before = 0;
  for (const { from, to } of stretches) {
    const first = Math.max(from, from + places.from - before);
    const last = Math.min(to, from + places.to - before);
    if (first < last) ranges.push({ from: first, to: last });
    before += to - from;
  }
  return ranges;
}
