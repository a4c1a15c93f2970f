import assert from "node:assert/strict";
import type { JobEvent } from "../record/index.ts";
import { Bench } from "./bench.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Coordinator, CoordinatorPort, WithoutTime } from "./coordinator-port.ts";
import { EvidenceBook } from "./evidence-book.ts";
import { HeartbeatWatch } from "./heartbeat-watch.ts";
import type { CoordinatorOptions, JobShape } from "./job-options.ts";
import type { Slot, ToWorker, WorkerName } from "./messages.ts";
import { ranksOf } from "./replicas.ts";
import { SlotTable } from "./slot-table.ts";
import { StepTally } from "./step-tally.ts";

export const timerNames = [
  /** The end of starting, joining, restoring or draining, whichever is under way. */
  "phase",
  "heartbeat",
  "progress",
  "save",
  "grace",
  "operator",
  "stop",
] as const;
export type TimerName = (typeof timerNames)[number];

/** A part of the job is to be taken away, and all are to stop at one step before. */
export interface Preemption {
  /** Ranks that have said where they are. */
  readonly holding: Set<number>;
  /** The furthest step that was begun. */
  step: number;
  /** Everybody was told to go there. */
  isAgreed: boolean;
  /** That step is the last of the job. */
  isLast: boolean;
  readonly untilUs: number;
}

export type DetectedBy = Extract<JobEvent, { kind: "detect" }>["by"];

/** Everything a coordinator knows. Each phase is a file of functions over it. */
export class JobState {
  readonly options: CoordinatorOptions;
  readonly port: CoordinatorPort;
  readonly slots: SlotTable;
  readonly checkpoints: Checkpoints;
  /** Slots that may take the place of others when nothing runs in them, in this order. */
  readonly spares: Set<Slot>;
  readonly bench = new Bench();
  nowUs = 0;
  phase: Coordinator["phase"] = "starting";
  generation = 0;
  restarts = 0;
  shape: JobShape;
  /** The slot of each rank, of this generation or of the one that is being formed. */
  target: readonly Slot[];
  members: readonly WorkerName[] = [];
  readonly #rankOfSlot: Int32Array;
  /** Why the generation that is being formed is needed. */
  reason = "the job starts";
  evidence: EvidenceBook;
  watch: HeartbeatWatch;
  tally: StepTally;
  progressAtUs = 0;
  joined = new Set<number>();
  /** What is being loaded; null: nothing is. */
  restore: { readonly tag: string | null; readonly step: number } | null = null;
  /** What this generation went on from. */
  restoredStep = 0;
  restored = new Set<number>();
  /** What is being saved; null: nothing is. */
  save: { readonly tag: string; readonly step: number } | null = null;
  /** Of the last save of this generation that ended, well or not. */
  savedStep = -1;
  preemption: Preemption | null = null;
  readonly finished = new Map<number, string>();
  /** Blamed ones and those that did not stop are being killed. */
  isKilling = false;
  /** Stops everybody and recovers, or adds to what is known while that is under way. */
  readonly alarm: (by: DetectedBy, reason: string) => void;

  constructor(
    options: CoordinatorOptions,
    port: CoordinatorPort,
    alarm: (job: JobState, by: DetectedBy, reason: string) => void,
  ) {
    const ranks = ranksOf(options.shape);
    assert(ranks >= 1 && ranks <= options.slots, "every rank has a slot");
    this.options = options;
    this.port = port;
    this.alarm = (by, reason) => alarm(this, by, reason);
    this.slots = new SlotTable(options.slots);
    this.checkpoints = new Checkpoints(Math.max(1, options.keep));
    this.spares = new Set(options.spares);
    this.#rankOfSlot = new Int32Array(options.slots).fill(-1);
    this.shape = options.shape;
    this.target = [];
    this.evidence = new EvidenceBook(ranks);
    this.watch = this.#newWatch(0);
    this.tally = new StepTally(ranks, 0);
  }

  get ranks(): number {
    return this.target.length;
  }

  /** Spares that could be started now. A slot that was lost and is back is one of them. */
  freeSpares(): readonly Slot[] {
    return [...this.spares].filter((slot) => this.slots.canStart(slot));
  }

  /** -1: this slot is no part of the job. */
  rankOf(slot: Slot): number {
    return this.#rankOfSlot[slot] ?? -1;
  }

  slotOf(rank: number): Slot {
    const slot = this.target[rank];
    assert(slot !== undefined, "a rank of the job has a slot");
    return slot;
  }

  setTarget(shape: JobShape, slots: readonly Slot[]): void {
    assert(ranksOf(shape) === slots.length, "a slot for every rank");
    assert(new Set(slots).size === slots.length, "no slot is two ranks");
    this.#rankOfSlot.fill(-1);
    for (const [rank, slot] of slots.entries()) this.#rankOfSlot[slot] = rank;
    this.shape = shape;
    this.target = slots;
    this.evidence = new EvidenceBook(slots.length);
  }

  beginWatch(): void {
    this.watch = this.#newWatch(this.ranks);
    this.setTimer("heartbeat", this.watch.nextUs());
  }

  record(event: WithoutTime<JobEvent>): void {
    this.port.record(event);
  }

  send(slot: Slot, message: ToWorker): void {
    this.port.send(this.slots.nameOf(slot), message);
  }

  sendAll(message: ToWorker): void {
    for (const member of this.members) this.port.send(member, message);
  }

  start(slot: Slot): void {
    this.port.start(this.slots.started(slot));
  }

  kill(slot: Slot): void {
    this.port.kill(this.slots.killed(slot));
  }

  setTimer(name: TimerName, atUs: number | null): void {
    this.port.setTimer(name, atUs);
  }

  setTimerIn(name: TimerName, delayUs: number): void {
    this.port.setTimer(name, this.nowUs + delayUs);
  }

  clearTimers(): void {
    for (const name of timerNames) this.port.setTimer(name, null);
  }

  #newWatch(ranks: number): HeartbeatWatch {
    const silenceUs = this.options.timeouts.heartbeatUs;
    return new HeartbeatWatch(ranks, { silenceUs, nowUs: this.nowUs });
  }
}
