import type { Coordinator, CoordinatorPort } from "./coordinator-port.ts";
import { onDrainTimer, proceed, resume, sound } from "./draining.ts";
import { giveUp, killTheRest } from "./ending.ts";
import type { CoordinatorOptions } from "./job-options.ts";
import { type DetectedBy, JobState, type TimerName } from "./job-state.ts";
import { onJoined, onJoinTimer, onRefused, onRestored } from "./joining.ts";
import type { PlatformNews, Slot, ToCoordinator, TroubleCause, WorkerName } from "./messages.ts";
import { onGraceTimer, onHolding, onPreemptNotice } from "./preemption.ts";
import { ranksOf } from "./replicas.ts";
import { beginStarting, onCame, onStartTimer, onUnavailable, startMissing } from "./starting.ts";
import {
  onFinished,
  onHeartbeatTimer,
  onProgressTimer,
  onSave,
  onSaveTimer,
  onStepped,
} from "./training.ts";

/**
 * The coordinator of an elastic job. It acts on what it is told and on its timers alone, so the same code
 * runs simulated and for real.
 */
export function createCoordinator(options: CoordinatorOptions, port: CoordinatorPort): Coordinator {
  return new JobCoordinator(options, port);
}

const detectedBy: Readonly<Record<TroubleCause, DetectedBy>> = {
  peer: "collective",
  collective: "collective",
  desync: "collective",
  device: "device",
  memory: "device",
  comparison: "comparison",
  numerics: "numerics",
  storage: "storage",
};

class JobCoordinator implements Coordinator {
  readonly #job: JobState;

  constructor(options: CoordinatorOptions, port: CoordinatorPort) {
    this.#job = new JobState(options, port, sound);
  }

  get phase(): Coordinator["phase"] {
    return this.#job.phase;
  }

  get generation(): number {
    return this.#job.generation;
  }

  get members(): readonly WorkerName[] {
    return this.#job.members;
  }

  slotOf(rank: number): Slot | undefined {
    return this.#job.members[rank]?.slot;
  }

  start(nowUs: number): void {
    const job = this.#job;
    job.nowUs = nowUs;
    const { shape } = job.options;
    job.setTarget(
      shape,
      Array.from({ length: ranksOf(shape) }, (_, rank) => rank),
    );
    beginStarting(job);
  }

  message(from: WorkerName, message: ToCoordinator, nowUs: number): void {
    const job = this.#job;
    // Of a process that was replaced, or is being killed, nothing counts any more.
    if (!job.slots.isCurrent(from)) return;
    job.nowUs = nowUs;
    if (message.type === "hello") {
      this.#hello(from.slot);
      return;
    }
    const rank = job.rankOf(from.slot);
    if (rank < 0 || message.generation !== job.generation || !job.slots.isBusy(from.slot)) return;
    job.watch.heard(rank, nowUs);
    if (message.type === "heartbeat") return;
    if (job.phase === "running" || job.phase === "joining") this.#ofMember(rank, message);
    else if (job.phase === "draining") this.#whileDraining(rank, from.slot, message);
  }

  news(news: PlatformNews, nowUs: number): void {
    const job = this.#job;
    job.nowUs = nowUs;
    switch (news.type) {
      case "exited":
        this.#exited(news.worker, news.how);
        return;
      case "unavailable":
        this.#unavailable(news.slot, news.reason);
        return;
      case "node-lost":
        this.#nodeLost(news.node);
        return;
      case "available":
        for (const slot of news.slots) this.#available(slot);
        if (job.phase === "starting") startMissing(job);
        return;
      case "preempt-notice":
        onPreemptNotice(job, news);
        return;
      case "operator":
        this.#operator(news.action);
    }
  }

  timer(name: string, nowUs: number): void {
    const job = this.#job;
    job.nowUs = nowUs;
    switch (name as TimerName) {
      case "phase":
        if (job.phase === "starting") onStartTimer(job);
        else if (job.phase === "joining") onJoinTimer(job);
        else if (job.phase === "draining") onDrainTimer(job);
        return;
      case "heartbeat":
        if (job.phase === "joining" || job.phase === "running") onHeartbeatTimer(job);
        return;
      case "progress":
        if (job.phase === "running") onProgressTimer(job);
        return;
      case "save":
        if (job.phase === "running") onSaveTimer(job);
        return;
      case "grace":
        onGraceTimer(job);
        return;
      case "operator":
        resume(job, "the person of the experiment said so");
        return;
      case "stop":
        killTheRest(job);
    }
  }

  #hello(slot: Slot): void {
    const job = this.#job;
    if (!job.slots.isStarting(slot)) return;
    job.slots.cameUp(slot);
    if (job.phase === "starting") onCame(job);
  }

  #ofMember(rank: number, message: ToCoordinator): void {
    const job = this.#job;
    switch (message.type) {
      case "stepped":
        onStepped(job, rank, message.report);
        return;
      case "save":
        onSave(job, rank, message);
        return;
      case "joined":
        onJoined(job, rank);
        return;
      case "restored":
        onRestored(job, rank, message.step);
        return;
      case "refused":
        onRefused(job, message);
        return;
      case "holding":
        onHolding(job, rank, message.step);
        return;
      case "finished":
        onFinished(job, rank, message.stateDigest);
        return;
      case "trouble":
        job.evidence.troubled({ rank, ...message });
        job.alarm(detectedBy[message.cause], `rank ${rank}: ${message.reason}`);
        return;
      default:
    }
  }

  /** What was sent before the order to stop arrived is still true. */
  #whileDraining(rank: number, slot: Slot, message: ToCoordinator): void {
    const job = this.#job;
    if (message.type === "stepped") onStepped(job, rank, message.report);
    else if (message.type === "save") onSave(job, rank, message);
    else if (message.type === "trouble") job.evidence.troubled({ rank, ...message });
    else if (message.type === "drained") {
      job.slots.setBusy(slot, false);
      proceed(job);
    }
  }

  #exited(worker: WorkerName, how: string): void {
    const job = this.#job;
    const { slot } = worker;
    const wasOrdered = job.slots.isDying(slot);
    if (!job.slots.has(slot) || !job.slots.exited(worker)) return;
    const rank = job.rankOf(slot);
    if (rank >= 0) job.spares.delete(slot);
    if (rank >= 0 && !wasOrdered) this.#lost(rank, how);
    else if (job.phase === "starting") startMissing(job);
    proceed(job);
  }

  #lost(rank: number, how: string): void {
    const job = this.#job;
    // Who has said that it is done may go.
    if (job.phase === "running" && job.finished.has(rank)) return;
    if (job.phase === "draining" && job.evidence.noticed.has(rank)) return;
    job.evidence.exited.add(rank);
    job.alarm("exit", `rank ${rank} ended: ${how}`);
  }

  #unavailable(slot: Slot, reason: string): void {
    const job = this.#job;
    if (!job.slots.has(slot) || job.slots.isUp(slot)) return;
    job.slots.exited(job.slots.nameOf(slot));
    job.slots.setUsable(slot, false);
    job.spares.delete(slot);
    const rank = job.rankOf(slot);
    if (rank >= 0 && job.phase === "starting") onUnavailable(job, rank, reason);
    else proceed(job);
  }

  #nodeLost(node: number): void {
    const job = this.#job;
    const { slotsPerNode } = job.options;
    let hasLost = false;
    for (let slot = node * slotsPerNode; slot < (node + 1) * slotsPerNode; slot++) {
      if (!job.slots.has(slot)) continue;
      job.slots.setUsable(slot, false);
      job.spares.delete(slot);
      if (!job.slots.isUp(slot) && !job.slots.isStarting(slot)) continue;
      // The news may be older than the process: only its own end proves that it is not there.
      job.kill(slot);
      const rank = job.rankOf(slot);
      if (rank < 0) continue;
      job.evidence.exited.add(rank);
      hasLost = true;
    }
    if (hasLost) job.alarm("exit", `node ${node} was lost`);
    else if (job.phase === "starting") this.#withoutSlots();
  }

  /** Nothing runs in them yet, and nothing can. */
  #withoutSlots(): void {
    const job = this.#job;
    const rank = job.target.findIndex(
      (slot) => !job.slots.isUsable(slot) && !job.slots.isUp(slot) && !job.slots.isStarting(slot),
    );
    if (rank >= 0) onUnavailable(job, rank, "its node was lost");
  }

  #available(slot: Slot): void {
    const job = this.#job;
    if (!job.slots.has(slot)) return;
    job.slots.setUsable(slot, true);
    job.spares.add(slot);
  }

  #operator(action: "resume" | "abort"): void {
    const job = this.#job;
    if (job.phase === "finished" || job.phase === "gave-up") return;
    if (action === "resume") resume(job, "the operator said so");
    else giveUp(job, "the operator ended the job");
  }
}
