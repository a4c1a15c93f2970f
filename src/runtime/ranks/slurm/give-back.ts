import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { RunningProcess } from "../../../platform/process/index.ts";
import { endedJobStates, type SlurmJob } from "../../../platform/slurm/index.ts";
import { type Clock, sleep } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import {
  isCompleting,
  type JobView,
  jobError,
  jobOf,
  lookFirstMs,
  nextLookMs,
} from "./job-problem.ts";

/** A controller that is started anew, or moves to its backup, is back by then. */
const awayMs = 180_000;

/**
 * Ends the job, and sees that it has. A controller that is away does not know that we want nothing
 * more: without us the job would hold its nodes to the end of its time limit.
 *
 * @throws E_SLURM_JOB with the command that ends the job, where Slurm could not be told.
 */
export async function giveBack(
  salloc: Pick<RunningProcess, "stop">,
  about: {
    readonly view: JobView;
    readonly clock: Clock;
    readonly jobId: number | undefined;
    /** Told once when it takes more than one try. */
    readonly onAway: (problem: string) => void;
  },
): Promise<void> {
  const { view, clock, jobId, onAway } = about;
  // Both do the same; salloc alone may be held up, and a job without a number is known to it alone.
  const stopped = Promise.allSettled([salloc.stop()]);
  if (jobId === undefined) {
    await stopped;
    return;
  }
  const untilMs = clock.monotonicMs() + awayMs;
  for (let waitMs = lookFirstMs, tries = 1; ; waitMs = nextLookMs(waitMs), tries++) {
    const problem = await tryToEnd(jobId, view);
    await stopped;
    if (problem === undefined) return;
    if (!problem.mayPass || clock.monotonicMs() >= untilMs) throw left(jobId, problem.words);
    if (tries === 2) onAway(`${problem.words}; trying for ${formatDurationMs(awayMs)}`);
    await sleep(clock, waitMs);
  }
}

interface Problem {
  readonly words: string;
  readonly mayPass: boolean;
}

/** Undefined when the job holds its nodes no more. One that was cancelled may be back with the controller. */
async function tryToEnd(jobId: number, view: JobView): Promise<Problem | undefined> {
  try {
    await view.client.cancel([String(jobId)]);
    const job = await jobOf(view, jobId);
    if (!holdsNodes(job)) return undefined;
    return { words: `it is ${job?.state} after it was cancelled`, mayPass: true };
  } catch (error) {
    const code = error instanceof TesseraError ? error.code : "";
    const mayPass = code === "E_SLURM_UNREACHABLE" || code === "E_SLURM_FAILED";
    return { words: messageOf(error), mayPass };
  }
}

/** What Slurm cleans up after, in an epilog of any length, is Slurm's own again. */
function holdsNodes(job: SlurmJob | undefined): boolean {
  return job !== undefined && !endedJobStates.has(job.state) && !isCompleting(job);
}

function left(jobId: number, why: string): TesseraError {
  const problem = `could not be given back and may hold its nodes (${why})`;
  return jobError(jobId, problem, `End it by hand: \`scancel ${jobId}\`.`);
}
