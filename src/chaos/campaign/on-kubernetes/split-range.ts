import assert from "node:assert/strict";

/** Runs of a campaign, from the first up to but without the last. */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}

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

/** Cuts stretches into about so many ranges of nearly the same length. */
export function splitStretches(stretches: readonly RunRange[], count: number): readonly RunRange[] {
  const total = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  return stretches.flatMap((stretch) =>
    splitRange(stretch, Math.max(1, Math.round((count * (stretch.to - stretch.from)) / total))),
  );
}

/** `0:250,250:500`, for an environment variable. */
export function rangesText(ranges: readonly RunRange[]): string {
  return ranges.map(({ from, to }) => `${from}:${to}`).join(",");
}

/** The range of one place in such a text; undefined when there is none. */
export function rangeAt(text: string, place: number): RunRange | undefined {
  const [, from, to] = /^(\d{1,15}):(\d{1,15})$/.exec(text.split(",")[place] ?? "") ?? [];
  if (from === undefined || to === undefined || Number(to) <= Number(from)) return undefined;
  return { from: Number(from), to: Number(to) };
}
