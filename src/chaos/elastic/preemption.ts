import { giveUp } from "./ending.ts";
import type { JobState } from "./job-state.ts";
import type { Slot } from "./messages.ts";

/**
 * Slots will be taken away. A checkpoint needs the part of every rank at one step, and ranks are not all in
 * the same one: each says which it is in and begins no further, and the furthest is where all stop and save.
 */
export function onPreemptNotice(
  job: JobState,
  notice: { readonly slots: readonly Slot[]; readonly graceUs: number },
): void {
  const ranks: number[] = [];
  for (const slot of notice.slots) {
    if (!job.slots.has(slot)) continue;
    // Whatever is started there would be taken away too. `available` says when that is over.
    job.slots.setUsable(slot, false);
    const rank = job.rankOf(slot);
    if (rank >= 0) ranks.push(rank);
  }
  if (ranks.length === 0) return;
  const { phase } = job;
  if (phase === "finished" || phase === "gave-up") return;
  if (phase === "paused") {
    for (const rank of ranks) if (job.slots.isUp(job.slotOf(rank))) job.kill(job.slotOf(rank));
    return;
  }
  const { action, graceUs: graceMaxUs } = job.options.policy.onPreempt;
  for (const rank of ranks) job.evidence.noticed.add(rank);
  if (phase !== "running") {
    job.alarm("notice", sentence(job));
  } else if (action === "failFast") {
    job.record({ kind: "detect", by: "notice", ranks, reason: sentence(job) });
    giveUp(job, `failFast: ${sentence(job)}`);
  } else {
    hold(job, Math.min(notice.graceUs, graceMaxUs));
  }
}

function hold(job: JobState, graceUs: number): void {
  if (job.preemption !== null) return;
  const untilUs = job.nowUs + graceUs;
  job.preemption = { holding: new Set(), step: 0, isAgreed: false, isLast: false, untilUs };
  job.setTimerIn("grace", graceUs);
  job.sendAll({ type: "preempt", graceUs });
}

export function onHolding(job: JobState, rank: number, step: number): void {
  const { preemption } = job;
  if (preemption === null || preemption.isAgreed) return;
  preemption.holding.add(rank);
  preemption.step = Math.max(preemption.step, step);
  if (preemption.holding.size < job.ranks) return;
  preemption.isAgreed = true;
  const { generation } = job;
  // With the last step the job is done: nothing of it is left to be taken away.
  preemption.isLast = preemption.step >= job.options.steps;
  const save = savesFirst(job) && !preemption.isLast;
  job.sendAll({ type: "go-to", generation, step: preemption.step, save });
  if (!savesFirst(job)) steppedBeforeLeaving(job);
  else if (job.savedStep === preemption.step) leave(job);
}

function savesFirst(job: JobState): boolean {
  return job.options.policy.onPreempt.action === "checkpointThenExit";
}

/** Without a save, the step itself is all that is waited for. */
export function steppedBeforeLeaving(job: JobState): void {
  const { preemption } = job;
  if (preemption === null || !preemption.isAgreed || savesFirst(job)) return;
  if (job.tally.step >= preemption.step) leave(job);
}

/** A save ended, well or not: another try would need another step. */
export function savedBeforeLeaving(job: JobState, step: number): void {
  const { preemption } = job;
  if (preemption?.isAgreed === true && step >= preemption.step) leave(job);
}

/** The time is over: what was not saved is lost. */
export function onGraceTimer(job: JobState): void {
  if (job.preemption !== null) leave(job);
}

function leave(job: JobState): void {
  if (job.preemption?.isLast === true && job.nowUs < job.preemption.untilUs) return;
  if (job.phase === "running") job.alarm("notice", sentence(job));
}

function sentence(job: JobState): string {
  const ranks = [...job.evidence.noticed].toSorted((a, b) => a - b);
  const noun = ranks.length === 1 ? `rank ${ranks[0]} is` : `${ranks.length} ranks are`;
  return `${noun} preempted`;
}
