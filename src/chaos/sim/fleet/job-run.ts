import assert from "node:assert/strict";
import type { EventId, EventKind, SimEngine } from "../engine/index.ts";
import type { FleetJob } from "./fleet-job.ts";
import type { FleetListener, Loss } from "./fleet-world.ts";
import { JobTally } from "./job-tally.ts";
import type { NodePool } from "./node-pool.ts";
import { Progress } from "./progress.ts";
import type { FleetTimeUse, TimeBook } from "./time-book.ts";

/** What the job does. In all but the first it gains nothing. */
type Mode =
  | "computing"
  | "detecting"
  | "waiting"
  | "restarting"
  | "stalled"
  /** Saves before a planned stop. */
  | "flushing"
  | "leaving"
  | "over";

const useOf: Readonly<Record<Exclude<Mode, "computing" | "flushing" | "over">, FleetTimeUse>> = {
  detecting: "detect",
  waiting: "wait",
  restarting: "restart",
  stalled: "restart",
  leaving: "planned",
};

export interface JobRunParts {
  readonly engine: SimEngine;
  readonly job: FleetJob;
  readonly pool: NodePool;
  readonly book: TimeBook;
  readonly causes: number;
  /** How slow the nodes of these replicas are. */
  readonly slowest: (isPart: (replica: number) => boolean) => number;
}

/**
 * The job, from event to event. A failure while it comes back makes it start over, as the theory of checkpoints has
 * it. Policies decide who is waited for; the words are those of `FleetPolicy`.
 */
export class JobRun implements FleetListener {
  readonly tally: JobTally;
  readonly #parts: JobRunParts;
  readonly #progress: Progress;
  readonly #timer: EventKind;
  readonly #leave: EventKind;
  readonly #finish: EventKind;
  readonly #rejoin: EventKind;
  #mode: Mode = "computing";
  #sinceUs = 0;
  #pace = 1;
  /** Replicas that take no part now. */
  #away: ReadonlySet<number> = new Set();
  readonly #rejoining = new Map<number, EventId>();
  /** The end of what the job is in. */
  #pending: EventId | null = null;
  #leaving: EventId | null = null;
  #finishing: EventId | null = null;
  #cleanUntilUs = Infinity;

  constructor(parts: JobRunParts) {
    const { engine, job, book, causes } = parts;
    this.#parts = parts;
    this.tally = new JobTally(causes);
    this.#progress = new Progress(job, book);
    this.#timer = engine.kind("job phase", () => this.#onPhase());
    this.#leave = engine.kind("job leave", () => this.#onLeave());
    this.#finish = engine.kind("job finish", () => this.#onFinish());
    this.#rejoin = engine.kind("job rejoin", (replica) => this.#onRejoin(replica));
    this.#settlePace();
  }

  get step(): number {
    return this.#progress.step;
  }

  get isOver(): boolean {
    return this.#mode === "over";
  }

  /** What the job is in ends here. */
  interrupt(nowUs: number): void {
    if (this.#mode === "flushing") this.#parts.book.spend("wasted", this.#sinceUs, nowUs);
    else this.#account(nowUs);
    this.#sinceUs = nowUs;
  }

  lost(loss: Loss): void {
    const { engine, job } = this.#parts;
    if (this.#mode === "over") return;
    const hit = this.#hitBy(loss);
    if (hit.size === 0) return;
    this.interrupt(engine.nowUs);
    this.tally.stopped(loss.cause, engine.nowUs);
    const detectUs = loss.sign === "silent" ? 0 : job.detectUs[loss.sign];
    const live = job.replicas - this.#away.size - hit.size;
    const isUp = this.#mode === "computing" || this.#mode === "stalled";
    if (job.policy === "replica" && loss.sign !== "silent" && isUp && live > 0) {
      this.#stall(hit, detectUs);
      return;
    }
    this.#cleanUntilUs = Math.min(this.#cleanUntilUs, loss.wrongSinceUs ?? Infinity);
    this.#stopRejoining();
    this.#enter("detecting", detectUs);
  }

  nodeBack(): void {
    if (this.#mode === "waiting") this.#resume();
    else if (this.#parts.job.policy === "replica") this.#bringReplicas();
  }

  asked(): void {
    const { engine } = this.#parts;
    if (this.#mode !== "computing" || this.#leaving !== null) return;
    this.#account(engine.nowUs);
    const inUs = Math.ceil(this.#progress.boundaryInUs(this.#pace));
    this.#leaving = engine.after(inUs, this.#leave);
  }

  paceChanges(change: () => void): void {
    this.#account(this.#parts.engine.nowUs);
    change();
    this.#settlePace();
  }

  /** Everything up to now is accounted for, but for a save before a planned stop: it is one when it is done. */
  #account(nowUs: number): void {
    if (this.#mode === "flushing") return;
    if (this.#mode === "computing") this.#progress.advance(this.#sinceUs, nowUs, this.#pace);
    else if (this.#mode !== "over") {
      this.#parts.book.spend(useOf[this.#mode], this.#sinceUs, nowUs);
    }
    this.#sinceUs = nowUs;
  }

  /** Replicas of the job that a loss takes out of it. */
  #hitBy({ replicas, wrongSinceUs }: Loss): ReadonlySet<number> {
    const { engine, job } = this.#parts;
    const taking = (replica: number) => !this.#away.has(replica);
    if (replicas !== null) return new Set([...replicas].filter(taking));
    const all = Array.from({ length: job.replicas }, (_, replica) => replica).filter(taking);
    if (job.policy !== "replica" || wrongSinceUs !== null) return new Set(all);
    // A program ends where it ran: in one of the replicas.
    const drawn = engine.chance.stream("fleet software replica").int(all.length);
    return new Set([all[drawn] as number]);
  }

  #enter(mode: Mode, forUs: number | null): void {
    const { engine } = this.#parts;
    for (const id of [this.#pending, this.#leaving, this.#finishing]) {
      if (id !== null) engine.cancel(id);
    }
    [this.#leaving, this.#finishing] = [null, null];
    this.#mode = mode;
    this.#pending = forUs === null ? null : engine.after(forUs, this.#timer);
  }

  #onPhase(): void {
    const { engine, job } = this.#parts;
    const nowUs = engine.nowUs;
    if (this.#mode === "flushing") {
      this.#progress.saveAt(this.#sinceUs);
      this.#sinceUs = nowUs;
      this.#enter("leaving", job.restartUs);
      return;
    }
    this.#account(nowUs);
    this.#pending = null;
    if (this.#mode === "detecting") this.#resume();
    else if (this.#mode === "stalled") this.#compute();
    else this.#restarted();
  }

  /** Goes on as soon as the policy has the nodes it wants. */
  #resume(): void {
    const { engine, job, pool } = this.#parts;
    this.#account(engine.nowUs);
    pool.fill();
    const broken = pool.brokenReplicas();
    const mayShrink = job.policy === "shrink" || job.policy === "replica";
    if (broken.size > 0 && !(mayShrink && broken.size < job.replicas)) {
      this.#enter("waiting", null);
      return;
    }
    this.#away = broken;
    this.#enter("restarting", job.restartUs);
  }

  #restarted(): void {
    const wasFailure = this.#mode === "restarting";
    const { lostSteps, isContaminated } = this.#progress.rollBack(this.#cleanUntilUs);
    this.#cleanUntilUs = Infinity;
    this.tally.lostSteps += lostSteps;
    if (isContaminated) this.tally.contaminated++;
    if (wasFailure) this.tally.restarts++;
    else this.tally.plannedStops++;
    this.#compute();
    if (this.#parts.job.policy === "replica") this.#bringReplicas();
  }

  #compute(): void {
    const { engine, job } = this.#parts;
    this.#enter("computing", null);
    this.#settlePace();
    this.tally.recovered(engine.nowUs + job.stepUs * this.#pace);
  }

  #stall(hit: ReadonlySet<number>, detectUs: number): void {
    const { engine, job, pool } = this.#parts;
    if (this.#mode === "computing") this.#progress.loseStep(this.#pace);
    this.tally.stalls++;
    this.#away = new Set([...this.#away, ...hit]);
    pool.fill();
    const broken = pool.brokenReplicas();
    for (const replica of hit) {
      if (broken.has(replica)) continue;
      this.#rejoining.set(replica, engine.after(detectUs + job.restartUs, this.#rejoin, replica));
    }
    this.#enter("stalled", detectUs + job.stallUs);
  }

  /** Replicas that are away and have their nodes again start. */
  #bringReplicas(): void {
    const { engine, job, pool } = this.#parts;
    if (this.#mode !== "computing" && this.#mode !== "stalled") return;
    pool.fill();
    const broken = pool.brokenReplicas();
    for (const replica of this.#away) {
      if (broken.has(replica) || this.#rejoining.has(replica)) continue;
      this.#rejoining.set(replica, engine.after(job.restartUs, this.#rejoin, replica));
    }
  }

  #onRejoin(replica: number): void {
    this.#rejoining.delete(replica);
    if (this.#parts.pool.brokenReplicas().has(replica)) {
      // Another of its nodes went while it started.
      this.#bringReplicas();
      return;
    }
    this.paceChanges(() => {
      this.#away = new Set([...this.#away].filter((one) => one !== replica));
    });
  }

  #stopRejoining(): void {
    for (const id of this.#rejoining.values()) this.#parts.engine.cancel(id);
    this.#rejoining.clear();
  }

  #onLeave(): void {
    const { engine, job } = this.#parts;
    this.#leaving = null;
    this.#account(engine.nowUs);
    this.#enter("flushing", job.checkpoint.writeUs);
  }

  #onFinish(): void {
    const { engine } = this.#parts;
    this.#finishing = null;
    this.#account(engine.nowUs);
    this.#enter("over", null);
    engine.pause();
  }

  /** As slow as the slowest node, and slower with fewer replicas. */
  #settlePace(): void {
    const { engine, job, slowest } = this.#parts;
    const live = job.replicas - this.#away.size;
    assert(live > 0, "a job that goes on has a replica");
    this.#pace = (slowest((replica) => !this.#away.has(replica)) * job.replicas) / live;
    if (this.#finishing !== null) engine.cancel(this.#finishing);
    this.#finishing = null;
    if (job.steps === null || this.#mode !== "computing") return;
    const inUs = Math.ceil(Math.max(0, this.#progress.untilUs(job.steps, this.#pace)));
    this.#finishing = engine.after(inUs, this.#finish);
  }
}
