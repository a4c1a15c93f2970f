import type { SlurmJob } from "../../../platform/slurm/index.ts";
import type { SlurmView } from "../job-watch.ts";
import { isAllowed } from "../marks.ts";
import { isRunning, jobText } from "../pick-job.ts";

/** The job of the workload, which may be another one by now than when the run began. */
export function runningJob({ job }: SlurmView): SlurmJob {
  if (job === undefined) throw new Error("Slurm no longer knows the job");
  if (!isRunning(job)) throw new Error(`${jobText(job)} is ${job.state}: there is nothing to hit`);
  if (!isAllowed(job)) throw new Error(`${jobText(job)} does not allow it any more`);
  return job;
}
