import assert from "node:assert/strict";
import type { Slot, WorkerName } from "./messages.ts";

const none = 0;
const starting = 1;
const up = 2;
const dying = 3;

/**
 * What is known about each slot: whether it can be used, and the process in it. There is never more than
 * one process in a slot: the next is started when the one before is known to have ended.
 */
export class SlotTable {
  readonly #process: Uint8Array;
  readonly #incarnation: Int32Array;
  readonly #isUsable: Uint8Array;
  /** It takes part in a generation and was not told to stop, or has not yet. */
  readonly #isBusy: Uint8Array;

  constructor(slots: number) {
    this.#process = new Uint8Array(slots);
    this.#incarnation = new Int32Array(slots);
    this.#isUsable = new Uint8Array(slots).fill(1);
    this.#isBusy = new Uint8Array(slots);
  }

  get count(): number {
    return this.#process.length;
  }

  has(slot: Slot): boolean {
    return slot >= 0 && slot < this.count;
  }

  nameOf(slot: Slot): WorkerName {
    return { slot, incarnation: this.#incarnation[slot] ?? 0 };
  }

  /** Whether this is the process of now, and nobody has ordered its end. */
  isCurrent({ slot, incarnation }: WorkerName): boolean {
    return this.#incarnation[slot] === incarnation && (this.isUp(slot) || this.isStarting(slot));
  }

  isUp(slot: Slot): boolean {
    return this.#process[slot] === up;
  }

  isStarting(slot: Slot): boolean {
    return this.#process[slot] === starting;
  }

  isDying(slot: Slot): boolean {
    return this.#process[slot] === dying;
  }

  isBusy(slot: Slot): boolean {
    return this.#isBusy[slot] === 1;
  }

  isUsable(slot: Slot): boolean {
    return this.#isUsable[slot] === 1;
  }

  canStart(slot: Slot): boolean {
    return this.#process[slot] === none && this.isUsable(slot);
  }

  started(slot: Slot): WorkerName {
    assert(this.canStart(slot), "a process is started in a slot that is free");
    this.#process[slot] = starting;
    this.#incarnation[slot] = (this.#incarnation[slot] ?? 0) + 1;
    return this.nameOf(slot);
  }

  cameUp(slot: Slot): void {
    assert(this.isStarting(slot), "who says hello was started");
    this.#process[slot] = up;
  }

  setBusy(slot: Slot, isBusy: boolean): void {
    assert(!isBusy || this.isUp(slot), "only a process that is up takes part");
    this.#isBusy[slot] = isBusy ? 1 : 0;
  }

  killed(slot: Slot): WorkerName {
    assert(this.isUp(slot) || this.isStarting(slot), "a process is killed once");
    this.#process[slot] = dying;
    this.#isBusy[slot] = 0;
    return this.nameOf(slot);
  }

  /** False: that process was known to have ended. */
  exited({ slot, incarnation }: WorkerName): boolean {
    if (this.#incarnation[slot] !== incarnation || this.#process[slot] === none) return false;
    this.#process[slot] = none;
    this.#isBusy[slot] = 0;
    return true;
  }

  setUsable(slot: Slot, isUsable: boolean): void {
    this.#isUsable[slot] = isUsable ? 1 : 0;
  }
}
