import type { ParallelAxisName, PlannedFault } from "../../plan/index.ts";
import type { EventKind, SimEngine } from "../engine/index.ts";

export interface TriggerBoardOptions {
  readonly engine: SimEngine;
  readonly faults: readonly PlannedFault[];
  /** Slots of a fault's targets; null: any. */
  readonly slotsOf: (fault: PlannedFault) => ReadonlySet<number> | null;
  readonly fire: (fault: PlannedFault) => void;
}

interface Waiting {
  readonly fault: PlannedFault;
  readonly slots: ReadonlySet<number> | null;
}

/** Knows when each fault begins. A fault begins once. */
export class TriggerBoard {
  /** Whether anybody has to say that it enters a collective. */
  readonly countsCollectives: boolean;
  readonly #engine: SimEngine;
  readonly #fire: (fault: PlannedFault) => void;
  readonly #faults: readonly PlannedFault[];
  readonly #waiting: Waiting[];
  readonly #entered = new Map<string, number>();
  readonly #due: EventKind;
  #hasBegun = false;
  #saves = 0;
  #restores = 0;

  constructor(options: TriggerBoardOptions) {
    const { engine, faults } = options;
    this.#engine = engine;
    this.#faults = faults;
    this.#fire = options.fire;
    this.#waiting = faults.map((fault) => ({ fault, slots: options.slotsOf(fault) }));
    this.countsCollectives = faults.some(({ trigger }) => trigger.kind === "collective");
    this.#due = engine.kind("fault.due", (at) => this.#fireAt(at));
  }

  /** A rank is about to begin a step, counted from 1. */
  beginsStep(slot: number, step: number): void {
    if (!this.#hasBegun) this.#begin();
    if (this.#waiting.length === 0) return;
    this.#fireWhere(slot, ({ trigger }) => trigger.kind === "step" && trigger.step === step);
  }

  /** A rank is about to take part in an exchange along an axis. */
  entersCollective(slot: number, axis: ParallelAxisName): void {
    const key = `${axis} ${slot}`;
    const nth = (this.#entered.get(key) ?? 0) + 1;
    this.#entered.set(key, nth);
    this.#fireWhere(
      slot,
      ({ trigger }) =>
        trigger.kind === "collective" && trigger.axis === axis && trigger.nth === nth,
    );
  }

  saveBegins(): void {
    this.#saves++;
    this.#fireStore("write", this.#saves);
  }

  /** A slot begins to write its shard, which takes so long: what hits it comes in the middle. */
  writes(slot: number, durationUs: number): void {
    this.#fireWhere(
      slot,
      ({ trigger }) =>
        trigger.kind === "checkpoint" && trigger.phase === "write" && trigger.nth === this.#saves,
      durationUs >> 1,
    );
  }

  commits(slot: number): void {
    this.#fireStore("commit", this.#saves);
    this.#fireWhere(
      slot,
      ({ trigger }) =>
        trigger.kind === "checkpoint" && trigger.phase === "commit" && trigger.nth === this.#saves,
      0,
      true,
    );
  }

  restoreBegins(): void {
    this.#restores++;
    for (const { fault, slots } of [...this.#waiting]) {
      if (slots !== null || fault.trigger.kind !== "restore") continue;
      if (fault.trigger.nth === this.#restores) this.#fireOnce(fault);
    }
  }

  reads(slot: number, durationUs: number): void {
    this.#fireWhere(
      slot,
      ({ trigger }) => trigger.kind === "restore" && trigger.nth === this.#restores,
      durationUs >> 1,
    );
  }

  /** The moment training begins: times are counted from it. */
  #begin(): void {
    this.#hasBegun = true;
    for (const [at, { trigger }] of this.#faults.entries()) {
      if (trigger.kind === "time") this.#engine.after(trigger.atUs, this.#due, at);
    }
  }

  /** Faults of the store begin before anybody writes. */
  #fireStore(phase: "write" | "commit", nth: number): void {
    for (const { fault, slots } of [...this.#waiting]) {
      const { trigger } = fault;
      if (slots !== null || trigger.kind !== "checkpoint") continue;
      if (trigger.phase === phase && trigger.nth === nth) this.#fireOnce(fault);
    }
  }

  #fireWhere(
    slot: number,
    isIt: (fault: PlannedFault) => boolean,
    delayUs = 0,
    isAnySlot = false,
  ): void {
    if (this.#waiting.length === 0) return;
    for (const { fault, slots } of [...this.#waiting]) {
      if (!isIt(fault)) continue;
      if (!isAnySlot && slots !== null && !slots.has(slot)) continue;
      if (delayUs === 0) this.#fireOnce(fault);
      else {
        this.#take(fault);
        this.#engine.after(delayUs, this.#due, this.#faults.indexOf(fault), 1);
      }
    }
  }

  #fireAt(at: number): void {
    const fault = this.#faults[at];
    if (fault === undefined) return;
    this.#take(fault);
    this.#fire(fault);
  }

  #fireOnce(fault: PlannedFault): void {
    if (this.#take(fault)) this.#fire(fault);
  }

  #take(fault: PlannedFault): boolean {
    const at = this.#waiting.findIndex((one) => one.fault === fault);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }
}
