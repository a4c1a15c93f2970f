import { finish, giveUp } from "./ending.ts";
import type { JobState } from "./job-state.ts";
import type { StepNews, ToCoordinator } from "./messages.ts";
import { savedBeforeLeaving, steppedBeforeLeaving } from "./preemption.ts";

/** Who begins with nothing restores nothing. */
export function isFirstStart(job: JobState): boolean {
  return job.generation === 1 && job.restore?.tag === null;
}

/** Everybody has loaded and trains. */
export function beginTraining(job: JobState): void {
  if (job.restore !== null && !isFirstStart(job)) {
    job.record({ kind: "restore", phase: "done", ...job.restore });
  }
  job.restore = null;
  job.setTimer("phase", null);
  job.phase = "running";
  job.progressAtUs = job.nowUs;
  job.setTimerIn("progress", job.options.progressUs);
}

export function onStepped(job: JobState, rank: number, news: StepNews): void {
  const done = job.tally.report(rank, news);
  if (done !== null) recordStep(job, done);
}

function recordStep(job: JobState, { step, units, samples, loss }: StepNews): void {
  job.progressAtUs = job.nowUs;
  const { generation } = job;
  job.record({ kind: "step", generation, step, units, samples, loss });
  steppedBeforeLeaving(job);
}

type SaveNews = Extract<ToCoordinator, { type: "save" }>;

export function onSave(job: JobState, rank: number, news: SaveNews): void {
  const { phase, tag, step, reason } = news;
  if (phase === "begun") {
    if (rank !== 0 || job.phase === "draining") return;
    job.save = { tag, step };
    job.record({ kind: "save", phase, tag, step });
    // A rank that gave up its part at the limit lets others wait for it in the next exchange.
    const { saveUs, collectiveUs } = job.options.timeouts;
    job.setTimerIn("save", saveUs + collectiveUs);
    return;
  }
  // Any rank may say that it failed, the first one counts; that it is whole is only for rank 0 to say.
  if (job.save?.tag !== tag || (phase === "committed" && rank !== 0)) return;
  endSave(job);
  job.savedStep = step;
  if (phase === "committed") {
    // It holds the part of everybody: all have loaded and trained, though the word of some is still on its way.
    const isLoading = job.phase === "joining" && job.restore !== null;
    if (isLoading && step > job.restoredStep) beginTraining(job);
    for (const implied of job.tally.committed(step)) recordStep(job, implied);
    job.record({ kind: "save", phase, tag, step });
    job.checkpoints.commit(step);
  } else {
    job.record({ kind: "save", phase, tag, step, ...(reason === undefined ? {} : { reason }) });
  }
  savedBeforeLeaving(job, step);
}

/** A save that nobody will finish any more. */
export function abandonSave(job: JobState, reason: string): void {
  if (job.save === null) return;
  job.record({ kind: "save", phase: "failed", ...job.save, reason });
  endSave(job);
}

function endSave(job: JobState): void {
  job.save = null;
  job.setTimer("save", null);
}

export function onFinished(job: JobState, rank: number, stateDigest: string): void {
  // It has not loaded what is to be loaded now: this is the end of a checkpoint that somebody refused.
  if (!job.restored.has(rank)) return;
  job.finished.set(rank, stateDigest);
  job.watch.excuse(rank);
  if (job.finished.size < job.ranks) return;
  if (new Set(job.finished.values()).size === 1) {
    finish(job, stateDigest);
    return;
  }
  const reason = "the ranks ended with different states";
  job.record({ kind: "detect", by: "comparison", ranks: minority(job.finished), reason });
  giveUp(job, reason);
}

/** Ranks that hold what fewer others hold than the most common; none when there is no such. */
function minority(digests: ReadonlyMap<number, string>): readonly number[] {
  const counts = new Map<string, number>();
  for (const digest of digests.values()) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  const most = Math.max(...counts.values());
  if ([...counts.values()].filter((count) => count === most).length > 1) return [];
  return [...digests].filter(([, digest]) => counts.get(digest) !== most).map(([rank]) => rank);
}

/** Asks whether the job still gets on. Not again at each step: the timer looks back when it fires. */
export function onProgressTimer(job: JobState): void {
  const dueUs = job.progressAtUs + job.options.progressUs;
  // While all hold for a preemption nobody steps, and its grace is a limit of its own.
  if (job.preemption !== null || job.nowUs < dueUs) {
    job.setTimer("progress", Math.max(dueUs, job.nowUs + 1));
    return;
  }
  job.evidence.lagging = job.tally.lagging();
  job.alarm("progress", "no step was done for too long");
}

export function onSaveTimer(job: JobState): void {
  if (job.save === null) return;
  job.alarm("storage", `the save ${job.save.tag} did not end in time`);
}

export function onHeartbeatTimer(job: JobState): void {
  const silent = job.watch.silent(job.nowUs);
  if (silent.length === 0) {
    job.setTimer("heartbeat", job.watch.nextUs());
    return;
  }
  for (const rank of silent) job.evidence.silent.add(rank);
  for (const rank of job.watch.fading(job.nowUs)) job.evidence.fading.add(rank);
  const noun = silent.length === 1 ? `rank ${silent[0]} was` : `${silent.length} ranks were`;
  job.alarm("heartbeat", `${noun} not heard of for too long`);
}
