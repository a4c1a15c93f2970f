import type { CheckpointSummary } from "../options.ts";

interface Aged {
  readonly summary: CheckpointSummary;
  readonly modifiedMs: number;
}

/**
 * Newest first, in the order in which they were committed: by the time in the manifest, then by step
 * and generation. Not by step first: a run that went back commits lower steps after higher ones, and
 * what it abandoned must not come back. Where a damaged one has no time left, its folder's counts.
 */
export function newestFirst<T extends Aged>(checkpoints: readonly T[]): readonly T[] {
  return checkpoints.toSorted((one, other) => {
    const times =
      (timeOf(other.summary) ?? other.modifiedMs) - (timeOf(one.summary) ?? one.modifiedMs);
    return (
      times ||
      -compareSteps(one.summary, other.summary) ||
      -compareNames(one.summary, other.summary)
    );
  });
}

/**
 * Whether one was surely committed before another. Of a damaged checkpoint there may be no time left;
 * then the file system's own times decide and steps must not say otherwise, and what cannot be told is
 * not older.
 */
export function isOlder(one: Aged, than: Aged): boolean {
  const [a, b] = [timeOf(one.summary), timeOf(than.summary)];
  const steps = compareSteps(one.summary, than.summary);
  if (a !== undefined && b !== undefined) return a < b || (a === b && steps < 0);
  return one.modifiedMs < than.modifiedMs && steps <= 0;
}

/** How the note begins that says so. */
export const stepWentBack = "STEP_WENT_BACK";

/** What is to be said of a checkpoint that is the newest, though others have a higher step. */
export function stepBackNote(
  { summary: { name, step } }: Aged,
  others: readonly Aged[],
): string | undefined {
  const abandoned = others.filter(({ summary }) => {
    return summary.status === "committed" && step !== null && (summary.step ?? 0) > step;
  });
  const [highest] = abandoned.toSorted((a, b) => compareSteps(b.summary, a.summary));
  if (highest === undefined) return undefined;
  return `${stepWentBack} ${name} with step ${step} was committed after ${highest.summary.name} with step ${highest.summary.step}: the last commit counts, not the highest step. Give a tag to load another.`;
}

function compareSteps(one: CheckpointSummary, other: CheckpointSummary): number {
  return one.step === null || other.step === null ? 0 : one.step - other.step;
}

function timeOf({ createdAt }: CheckpointSummary): number | undefined {
  const time = createdAt === null ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(time) ? undefined : time;
}

function compareNames(one: CheckpointSummary, other: CheckpointSummary): number {
  if (one.tag === other.tag) return one.generation - other.generation;
  return one.tag < other.tag ? -1 : 1;
}
