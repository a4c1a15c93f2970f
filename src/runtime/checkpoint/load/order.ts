import type { CheckpointSummary } from "../options.ts";

interface Aged {
  readonly summary: CheckpointSummary;
  readonly modifiedMs: number;
}

/**
 * Newest first: by step and, among equal steps, by the time they were made, then by generation. Where
 * one has no step, all go by time: steps of some say nothing about the others.
 */
export function newestFirst<T extends Aged>(checkpoints: readonly T[]): readonly T[] {
  const known = checkpoints.filter(({ summary }) => summary.status === "committed");
  const bySteps = known.every(({ summary }) => summary.step !== null);
  return checkpoints.toSorted((one, other) => {
    const steps = bySteps ? compareSteps(one.summary, other.summary) : 0;
    return -(steps || compareTimes(one, other) || compareNames(one.summary, other.summary));
  });
}

/**
 * Whether one is surely older than another. Of a damaged checkpoint there may be no step and no time
 * left; then the file system's own times decide, and what cannot be told is not older.
 */
export function isOlder(one: Aged, than: Aged): boolean {
  const steps = compareSteps(one.summary, than.summary);
  if (steps !== 0) return steps < 0;
  return compareTimes(one, than) < 0;
}

function compareSteps(one: CheckpointSummary, other: CheckpointSummary): number {
  return one.step === null || other.step === null ? 0 : one.step - other.step;
}

function compareTimes(one: Aged, other: Aged): number {
  const [a, b] = [timeOf(one.summary), timeOf(other.summary)];
  return a === undefined || b === undefined ? one.modifiedMs - other.modifiedMs : a - b;
}

function timeOf({ createdAt }: CheckpointSummary): number | undefined {
  const time = createdAt === null ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(time) ? undefined : time;
}

function compareNames(one: CheckpointSummary, other: CheckpointSummary): number {
  if (one.tag === other.tag) return one.generation - other.generation;
  return one.tag < other.tag ? -1 : 1;
}
