import assert from "node:assert/strict";
import type { JobState } from "./job-state.ts";
import type { Assignment } from "./messages.ts";
import { StepTally } from "./step-tally.ts";
import { beginTraining, isFirstStart } from "./training.ts";

/** Everybody is there: a new generation, in which each is told who all are. */
export function beginJoining(job: JobState): void {
  job.phase = "joining";
  job.generation++;
  job.members = job.target.map((slot) => job.slots.nameOf(slot));
  job.joined = new Set();
  job.finished.clear();
  job.save = null;
  job.savedStep = -1;
  job.preemption = null;
  job.setTimerIn("phase", job.options.timeouts.rendezvousUs);
  job.beginWatch();
  const { generation, shape, members } = job;
  for (const [rank, slot] of job.target.entries()) {
    job.slots.setBusy(slot, true);
    const assignment: Assignment = { generation, rank, shape, members };
    job.send(slot, { type: "assign", assignment });
  }
}

export function onJoined(job: JobState, rank: number): void {
  job.joined.add(rank);
  if (job.joined.size < job.ranks || job.restore !== null) return;
  const { generation, ranks, reason } = job;
  job.record({ kind: "generation", generation, ranks, dp: job.shape.dp, reason });
  beginRestore(job);
}

/** From the newest checkpoint that nobody has refused; without one, from the beginning. */
function beginRestore(job: JobState): void {
  const newest = job.checkpoints.newest();
  job.restore = newest ?? { tag: null, step: 0 };
  job.restored = new Set();
  job.restoredStep = job.restore.step;
  job.tally = new StepTally(job.ranks, job.restore.step);
  if (!isFirstStart(job)) job.record({ kind: "restore", phase: "begun", ...job.restore });
  job.setTimerIn("phase", job.options.timeouts.loadUs);
  job.sendAll({ type: "restore", generation: job.generation, tag: job.restore.tag });
}

export function onRestored(job: JobState, rank: number, step: number): void {
  // Another step: this answers an order that was replaced.
  if (job.restoredStep !== step) return;
  job.restored.add(rank);
  if (job.restore === null || job.restored.size < job.ranks) return;
  beginTraining(job);
}

export function onRefused(
  job: JobState,
  refusal: { readonly tag: string; readonly reason: string },
): void {
  const { restore } = job;
  if (restore === null || restore.tag !== refusal.tag) return;
  assert(restore.tag !== null, "the beginning cannot be refused");
  job.record({ kind: "restore", phase: "refused", ...restore, reason: refusal.reason });
  job.checkpoints.drop(restore.step);
  // Who was done with it is not any more, and is watched again.
  job.finished.clear();
  job.beginWatch();
  beginRestore(job);
}

/** A load that nobody will finish any more. */
export function abandonRestore(job: JobState, reason: string): void {
  if (job.restore === null) return;
  if (!isFirstStart(job)) job.record({ kind: "restore", phase: "failed", ...job.restore, reason });
  job.restore = null;
}

/** The ranks did not all meet, or not all load, in time. */
export function onJoinTimer(job: JobState): void {
  const done = job.restore === null ? job.joined : job.restored;
  job.evidence.lagging = job.target.map((_, rank) => rank).filter((rank) => !done.has(rank));
  const what = job.restore === null ? "met the others" : "loaded the checkpoint";
  const by = job.restore === null ? "progress" : "storage";
  const count = job.evidence.lagging.length;
  job.alarm(by, `${count === 1 ? "a rank has" : `${count} ranks have`} not ${what} in time`);
}
