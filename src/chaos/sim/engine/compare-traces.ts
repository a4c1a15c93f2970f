import { type Trace, type TraceEntry, type TraceWindow, windowEntriesMax } from "./trace.ts";

/** How two runs relate. They part at an entry from `from` on and before `before`. */
export type TraceComparison =
  | { readonly same: true }
  | { readonly same: false; readonly from: number; readonly before: number };

/** Where two traces part, as closely as their marks tell. */
export function compareTraces(one: Trace, other: Trace): TraceComparison {
  if (one.entries === other.entries && one.hash === other.hash) return { same: true };
  // A shorter trace has marks in between; those that both have are at the wider distance.
  const marks = new Map(other.marks.map(({ entries, hash }) => [entries, hash]));
  const shared = one.marks.filter(({ entries }) => marks.has(entries));
  const parted = firstIndex(shared.length, (at) => {
    const mark = shared[at];
    return mark !== undefined && marks.get(mark.entries) !== mark.hash;
  });
  const from = shared[parted - 1]?.entries ?? 0;
  const shorter = Math.min(one.entries, other.entries);
  return { same: false, from, before: shared[parted]?.entries ?? Math.max(shorter, from) + 1 };
}

/**
 * The first entry that two runs do not share; null where a run had ended. Both are null when the runs
 * were made again and then did not differ there: what they do changes from time to time.
 */
export interface TraceDifference {
  readonly index: number;
  readonly one: TraceEntry | null;
  readonly other: TraceEntry | null;
}

/** Runs something again and keeps this part of its trace. */
export type TracedRun = (window: TraceWindow) => Trace | Promise<Trace>;

/**
 * The first entry in which two runs differ, or null when they are the same. Each runs once for the marks, and
 * once more to look at what lies between two marks. With one program as both: is it deterministic?
 */
export async function firstDifference(
  one: TracedRun,
  other: TracedRun,
): Promise<TraceDifference | null> {
  const nothing = { from: 0, entries: 0 };
  const comparison = compareTraces(await one(nothing), await other(nothing));
  if (comparison.same) return null;
  for (let from = comparison.from; from < comparison.before; from += windowEntriesMax) {
    const window = { from, entries: Math.min(comparison.before - from, windowEntriesMax) };
    const [ones, others] = [(await one(window)).window, (await other(window)).window];
    for (let at = 0; at < Math.max(ones.length, others.length); at++) {
      const [a, b] = [ones[at] ?? null, others[at] ?? null];
      if (!areEqual(a, b)) return { index: from + at, one: a, other: b };
    }
  }
  return { index: comparison.from, one: null, other: null };
}

function areEqual(one: TraceEntry | null, other: TraceEntry | null): boolean {
  if (one === null || other === null) return one === other;
  const { timeUs, name, a, b } = one;
  return timeUs === other.timeUs && name === other.name && a === other.a && b === other.b;
}

/** The first index from which on a condition holds, by halving; `length` when it never does. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
