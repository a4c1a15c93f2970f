import type { SlurmJob } from "./words.ts";

/** A job as it is listed: one entry may stand for all tasks of an array that wait. */
export interface ListedJob {
  readonly job: SlurmJob;
  /** Which they are; empty for a job that is no array. */
  readonly tasks: string;
}

/** Slurm's own limit of an array is below it. */
const tasksMax = 4_000_001;

/**
 * An entry that stands for the waiting tasks of an array, `1-3,7%2` or `0-9:3`, as one job a task. They
 * share the entry's number until Slurm gives each its own. Any other job stays what it is.
 */
export function expandTasks({ job, tasks }: ListedJob): readonly SlurmJob[] {
  if (tasks === "" || job.arrayTaskId !== undefined) return [job];
  const numbers = parseTasks(tasks);
  return numbers.length === 0 ? [job] : numbers.map((arrayTaskId) => ({ ...job, arrayTaskId }));
}

/** The numbers in `[1-3,7%2]`; what Slurm cut off (`...`) is left out, as it left it out. */
export function parseTasks(text: string): number[] {
  const numbers: number[] = [];
  const [list = ""] = text.replace(/[[\]]/g, "").split("%");
  for (const range of list.split(",")) {
    const [, first, last = first, step = "1"] = /^(\d+)(?:-(\d+))?(?::(\d+))?$/.exec(range) ?? [];
    if (first === undefined) continue;
    const count = Math.floor((Number(last) - Number(first)) / Math.max(1, Number(step))) + 1;
    if (numbers.length + count > tasksMax) break;
    for (let at = 0; at < count; at++) numbers.push(Number(first) + at * Number(step));
  }
  return numbers;
}
