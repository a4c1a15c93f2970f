import type { SampleId } from "../task/index.ts";

/** How the samples that a run used differ from those it should have used by now. */
export interface SampleAccount {
  /** Due, and never used. */
  readonly skipped: readonly SampleId[];
  /** Used more often than once, listed once for each time too many. */
  readonly repeated: readonly SampleId[];
  /** Used, and not due yet. */
  readonly early: readonly SampleId[];
}

/** Compares the samples of all steps that count with those that are due, in whichever order. */
export function accountSamples(due: readonly SampleId[], used: readonly SampleId[]): SampleAccount {
  const owed = new Map(due.map((id) => [keyOf(id), id]));
  const seen = new Set<string>();
  const repeated: SampleId[] = [];
  const early: SampleId[] = [];
  for (const id of used) {
    const key = keyOf(id);
    if (seen.has(key)) repeated.push(id);
    else if (!owed.delete(key)) early.push(id);
    seen.add(key);
  }
  return { skipped: [...owed.values()], repeated, early };
}

function keyOf({ epoch, index }: SampleId): string {
  return `${epoch} ${index}`;
}
