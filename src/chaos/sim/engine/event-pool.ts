import assert from "node:assert/strict";
import { pendingMax } from "./event-heap.ts";

const capacityFirst = 1024;
const usesMax = 2 ** 31;
const free = -1;
const cancelled = -2;

/** What waiting events carry, in slots that are used again and again. */
export class EventPool {
  #kinds = new Int16Array(capacityFirst);
  #as = new Int32Array(capacityFirst);
  #bs = new Int32Array(capacityFirst);
  /** How often a slot was used, so that the id of an event that is over means nothing. */
  #uses = new Int32Array(capacityFirst);
  /** Slots that were used and are free, the last one freed on top. */
  #freed = new Int32Array(capacityFirst);
  #freedCount = 0;
  #used = 0;
  readonly #slotsMax: number;

  constructor(slotsMax: number) {
    assert(slotsMax >= 1 && slotsMax <= pendingMax, `at most ${pendingMax} events wait at once`);
    this.#slotsMax = slotsMax;
  }

  /** Fills a slot. */
  take(kind: number, a: number, b: number): number {
    const slot = this.#freedCount > 0 ? (this.#freed[--this.#freedCount] as number) : this.#fresh();
    this.#kinds[slot] = kind;
    this.#as[slot] = a;
    this.#bs[slot] = b;
    return slot;
  }

  /** A safe integer: the slot below, its uses above. Unique until a slot was used 2^31 times. */
  idOf(slot: number): number {
    return (this.#uses[slot] as number) * pendingMax + slot;
  }

  /** The slot of an event that still waits; undefined when it does not. */
  slotOf(id: number): number | undefined {
    const slot = id % pendingMax;
    const waits = slot < this.#used && this.idOf(slot) === id && (this.#kinds[slot] as number) >= 0;
    return waits ? slot : undefined;
  }

  kindOf(slot: number): number {
    return this.#kinds[slot] as number;
  }

  aOf(slot: number): number {
    return this.#as[slot] as number;
  }

  bOf(slot: number): number {
    return this.#bs[slot] as number;
  }

  cancel(slot: number): void {
    this.#kinds[slot] = cancelled;
  }

  isCancelled(slot: number): boolean {
    return this.#kinds[slot] === cancelled;
  }

  release(slot: number): void {
    this.#kinds[slot] = free;
    this.#uses[slot] = ((this.#uses[slot] as number) + 1) % usesMax;
    this.#freed[this.#freedCount++] = slot;
  }

  #fresh(): number {
    assert(this.#used < this.#slotsMax, `at most ${this.#slotsMax} events wait at once`);
    if (this.#used === this.#kinds.length) {
      this.#kinds = grown(this.#kinds, new Int16Array(2 * this.#used));
      this.#as = grown(this.#as, new Int32Array(2 * this.#used));
      this.#bs = grown(this.#bs, new Int32Array(2 * this.#used));
      this.#uses = grown(this.#uses, new Int32Array(2 * this.#used));
      this.#freed = grown(this.#freed, new Int32Array(2 * this.#used));
    }
    return this.#used++;
  }
}

function grown<T extends Int16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
