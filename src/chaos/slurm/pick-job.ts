import { endedJobStates, type SlurmJob } from "../../platform/slurm/index.ts";
import type { SlurmWorkload } from "../plan/index.ts";

/** On its way out of a run or into one. */
const movingFlags: ReadonlySet<string> = new Set([
  "COMPLETING",
  "CONFIGURING",
  "REQUEUED",
  "REQUEUE_HOLD",
  "REQUEUE_FED",
  "SIGNALING",
  "STAGE_OUT",
  "STOPPED",
]);

export function isOver({ state, flags }: Pick<SlurmJob, "state" | "flags">): boolean {
  return endedJobStates.has(state) && !flags.some((flag) => movingFlags.has(flag));
}

export function isRunning({ state, flags }: Pick<SlurmJob, "state" | "flags">): boolean {
  return state === "RUNNING" && !flags.some((flag) => movingFlags.has(flag));
}

/** Whether it has something on its nodes that could be hit. */
export function holdsNodes({ state, flags }: Pick<SlurmJob, "state" | "flags">): boolean {
  return state === "RUNNING" || state === "SUSPENDED" || flags.includes("COMPLETING");
}

/** Which run of a job this is: one that is put back into the queue begins another. */
export function runOf({ id, restarts }: Pick<SlurmJob, "id" | "restarts">): string {
  return `${id} ${restarts}`;
}

export function jobText({ id, name }: Pick<SlurmJob, "id" | "name">): string {
  return `job ${id} (${name})`;
}

/** What Slurm's tools take a job by: the number of an array's last task is that of the whole array too. */
export function idText({
  id,
  arrayJobId,
  arrayTaskId,
}: Pick<SlurmJob, "id" | "arrayJobId" | "arrayTaskId">): string {
  return arrayJobId === undefined || arrayTaskId === undefined
    ? String(id)
    : `${arrayJobId}_${arrayTaskId}`;
}

/** Whether a workload is known by its name, and not by the number of a job or of a task (`12_3`). */
export function isByName({ job }: Pick<SlurmWorkload, "job">): boolean {
  return typeof job === "string" && !/^\d+_\d+$/.test(job);
}

/**
 * All jobs that a workload may mean: those that are not over first, of them those that run, the newest
 * first among equals. Tasks of an array that wait share a number, and are one.
 */
export function candidatesOf(
  jobs: readonly SlurmJob[],
  { job }: Pick<SlurmWorkload, "job">,
  user: string,
): readonly SlurmJob[] {
  const isNamed = (one: SlurmJob) => {
    if (typeof job === "number") return one.id === job;
    return isByName({ job }) ? one.name === job : idText(one) === job;
  };
  const meant = jobs.filter((one) => one.user === user && isNamed(one));
  return [...new Map(meant.map((one) => [one.id, one])).values()].toSorted(
    (a, b) =>
      Number(isOver(a)) - Number(isOver(b)) ||
      Number(isRunning(b)) - Number(isRunning(a)) ||
      b.submittedAtMs - a.submittedAtMs ||
      b.id - a.id,
  );
}
