import type { JobState } from "./job-state.ts";

/** All ranks have done all steps and hold the same. */
export function finish(job: JobState, stateDigest: string): void {
  job.record({ kind: "finish", stateDigest });
  end(job, { phase: "finished", reason: "the job is done" });
}

/** The job ends, named and clean: nobody goes on behind its back. */
export function giveUp(job: JobState, reason: string): void {
  job.record({ kind: "give-up", reason });
  end(job, { phase: "gave-up", reason });
}

function end(
  job: JobState,
  how: { readonly phase: "finished" | "gave-up"; readonly reason: string },
): void {
  job.clearTimers();
  job.phase = how.phase;
  job.preemption = null;
  for (let slot = 0; slot < job.slots.count; slot++) {
    if (job.slots.isStarting(slot)) job.kill(slot);
    else if (job.slots.isUp(slot)) job.send(slot, { type: "stop", reason: how.reason });
  }
  job.setTimerIn("stop", job.options.timeouts.drainUs);
}

/** Whoever did not go when it was asked to. */
export function killTheRest(job: JobState): void {
  for (let slot = 0; slot < job.slots.count; slot++) {
    if (job.slots.isUp(slot)) job.kill(slot);
  }
}
