import { giveUp } from "./ending.ts";
import type { JobState } from "./job-state.ts";
import { beginJoining } from "./joining.ts";
import { neverCame, waitsForSlots } from "./recovery-decision.ts";

/** Starts what is missing of the target, and goes on when everybody is there. */
export function beginStarting(job: JobState): void {
  job.phase = "starting";
  for (let slot = 0; slot < job.slots.count; slot++) {
    if (job.rankOf(slot) >= 0) continue;
    if (job.slots.isStarting(slot)) job.kill(slot);
    else if (job.slots.isUp(slot)) job.send(slot, { type: "stop", reason: "no longer needed" });
  }
  job.setTimerIn("phase", job.options.timeouts.rendezvousUs);
  startMissing(job);
}

/** Something changed: a worker ended, or a slot can be used again. */
export function startMissing(job: JobState): void {
  let missing = 0;
  for (const slot of job.target) {
    if (job.slots.canStart(slot)) job.start(slot);
    if (!job.slots.isUp(slot)) missing++;
  }
  if (missing === 0) beginJoining(job);
}

/** A worker came up. That makes no other slot free, so there is nothing to start. */
export function onCame(job: JobState): void {
  if (job.target.every((slot) => job.slots.isUp(slot))) beginJoining(job);
}

/** A slot of the target cannot be used. Some policies wait until it can, the others do without it. */
export function onUnavailable(job: JobState, rank: number, reason: string): void {
  if (waitsForSlots(job.options.policy)) return;
  job.evidence.exited.add(rank);
  job.alarm("exit", `rank ${rank} could not be started: ${reason}`);
}

/** Who was started and is silent is started once more; a slot that is still not there ends the wait. */
export function onStartTimer(job: JobState): void {
  const { slots, options } = job;
  const { rendezvousUs } = options.timeouts;
  const late = job.target.filter((slot) => !slots.isUp(slot));
  const gone = late.filter((slot) => !slots.isStarting(slot));
  if (waitsForSlots(options.policy) && gone.length > 0) {
    giveUp(job, neverCame(gone, rendezvousUs));
    return;
  }
  for (const slot of late) job.evidence.exited.add(job.rankOf(slot));
  job.alarm("exit", neverCame(late, rendezvousUs));
}
