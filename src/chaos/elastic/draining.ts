import { blamedRanks, firstHandRanks } from "./blame.ts";
import { tagOfStep } from "./checkpoint-tag.ts";
import { giveUp } from "./ending.ts";
import type { DetectedBy, JobState } from "./job-state.ts";
import { abandonRestore } from "./joining.ts";
import type { Slot } from "./messages.ts";
import { decideRecovery } from "./recovery-decision.ts";
import { wholeReplicas } from "./replicas.ts";
import { beginStarting } from "./starting.ts";
import { abandonSave } from "./training.ts";

/**
 * Something is wrong. Everybody is told to stop; then those to blame, and those who did not stop, are
 * killed, because a worker that is only thought dead must not train beside the one that takes its place.
 */
export function sound(job: JobState, by: DetectedBy, reason: string): void {
  const { phase } = job;
  if (phase === "finished" || phase === "gave-up" || phase === "paused") return;
  job.record({ kind: "detect", by, ranks: blamedRanks(job.evidence), reason });
  if (phase === "draining") {
    proceed(job);
    return;
  }
  job.clearTimers();
  job.reason = reason;
  job.phase = "draining";
  job.isKilling = false;
  job.preemption = null;
  abandonRestore(job, reason);
  for (const [rank, slot] of job.target.entries()) {
    if (!job.slots.isBusy(slot)) continue;
    if (job.evidence.noticed.has(rank)) job.send(slot, { type: "stop", reason });
    else job.send(slot, { type: "abort", generation: job.generation, reason });
  }
  job.setTimerIn("phase", job.options.timeouts.drainUs);
  proceed(job);
}

/** Someone stopped, or ended. */
export function proceed(job: JobState): void {
  if (job.phase !== "draining") return;
  if (!job.isKilling && !job.target.some((slot) => job.slots.isBusy(slot))) killBlamed(job);
  if (job.isKilling && !job.target.some((slot) => job.slots.isDying(slot))) isolate(job);
}

export function onDrainTimer(job: JobState): void {
  if (job.isKilling) {
    // Who does not even die is waited for when its slot is needed, and not by everybody.
    isolate(job);
    return;
  }
  killBlamed(job);
  proceed(job);
}

function killBlamed(job: JobState): void {
  job.isKilling = true;
  const blamed = new Set(blamedRanks(job.evidence));
  for (const [rank, slot] of job.target.entries()) {
    const isWanted = !blamed.has(rank) && !job.slots.isBusy(slot);
    if (isWanted || !(job.slots.isUp(slot) || job.slots.isStarting(slot))) continue;
    job.kill(slot);
  }
  job.setTimerIn("phase", job.options.timeouts.drainUs);
}

/** Everybody has stopped, and what was lost takes part in nothing any more. */
function isolate(job: JobState): void {
  job.isKilling = false;
  job.setTimer("phase", null);
  abandonSave(job, job.reason);
  distrust(job);
  const blamed = new Set(blamedRanks(job.evidence));
  const lost: number[] = [];
  for (const [rank, slot] of job.target.entries()) {
    const isStarting = job.slots.isStarting(slot);
    if (blamed.has(rank) || !(job.slots.isUp(slot) || isStarting)) lost.push(rank);
  }
  job.record({ kind: "isolate", ranks: lost });
  decide(job, lost, false);
}

/** Those of the lost of whom more is known than that others suspect them. */
function goneOf(job: JobState, lost: readonly number[]): readonly number[] {
  const seen = new Set(firstHandRanks(job.evidence));
  return lost.filter((rank) => seen.has(rank) || !job.slots.isUsable(job.slotOf(rank)));
}

function decide(job: JobState, lost: readonly number[], isResumed: boolean): void {
  const { options, restarts, shape, reason } = job;
  const gone = goneOf(job, lost);
  const decision = decideRecovery({
    policy: options.policy,
    restarts,
    shape,
    slots: job.target,
    lost,
    gone,
    spares: job.freeSpares(),
    benched: job.bench.free((slot) => job.slots.canStart(slot)),
    batch: { samples: options.batch, microBatches: options.microBatches },
    reason,
    isResumed,
  });
  if (decision.kind === "give-up") {
    giveUp(job, decision.reason);
  } else if (decision.kind === "pause") {
    job.phase = "paused";
    job.record({ kind: "pause", reason });
    const { resumeAfterUs } = options.policy;
    if (resumeAfterUs !== null) job.setTimerIn("operator", resumeAfterUs);
  } else {
    job.restarts++;
    doWithout(job, gone, decision.slots);
    job.setTarget(decision.shape, decision.slots);
    beginStarting(job);
  }
}

/** Who is left out and not gone may be wanted later, when nothing better is left. */
function doWithout(job: JobState, gone: readonly number[], next: readonly Slot[]): void {
  const { shape, target } = job;
  if (job.options.policy.onFailure === "shrink") {
    const whole = wholeReplicas(target, shape, new Set(gone));
    job.bench.change({ left: whole, taken: next });
    return;
  }
  const [away, used] = [new Set(gone), new Set(next)];
  for (const [rank, slot] of target.entries()) {
    if (!away.has(rank) && !used.has(slot)) job.spares.add(slot);
  }
}

/** A person says to go on. */
export function resume(job: JobState, reason: string): void {
  if (job.phase !== "paused") return;
  job.setTimer("operator", null);
  job.record({ kind: "resume", reason });
  decide(job, [], true);
}

/**
 * What is saved was compared before, so a comparison that fails casts no doubt on it. But a checkpoint with
 * which not one step could be done holds what all replicas had wrong alike.
 */
function distrust(job: JobState): void {
  const isNumeric = job.evidence.troubles.some(({ cause }) => cause === "numerics");
  const step = job.restoredStep;
  if (!isNumeric || job.tally.step !== step || !job.checkpoints.has(step)) return;
  job.checkpoints.drop(step);
  const reason = "not one step could be done with it";
  job.record({ kind: "restore", phase: "refused", tag: tagOfStep(step), step, reason });
}
