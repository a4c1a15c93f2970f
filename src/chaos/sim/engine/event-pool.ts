import assert from "node:assert/strict";
import { pendingMax } from "./event-heap.ts";

const capacityFirst = 1024;
/** A slot's numbers lie together: what is read for one event comes from one place of memory. */
const width = 5;
const kindAt = 0;
const aAt = 1;
const bAt = 2;
/** The slot that comes after this one, of waiting events or of free slots. */
const nextAt = 3;
/** How often the slot was used, so that the id of an event that is over means nothing. */
const usesAt = 4;
const usesMask = 2 ** 31 - 1;
const free = -1;
const cancelled = -2;

/** In the place of a slot: there is none. */
export const noSlot = -1;

/** What waiting events carry, in slots that are used again and again, and lists of them. */
export class EventPool {
  #cells = new Int32Array(width * capacityFirst);
  /** The last one freed, from which the others follow. */
  #freed = noSlot;
  #used = 0;
  #waiting = 0;
  readonly #slotsMax: number;

  constructor(slotsMax: number) {
    assert(slotsMax >= 1 && slotsMax <= pendingMax, `at most ${pendingMax} events wait at once`);
    this.#slotsMax = slotsMax;
  }

  /** Slots that are not free, those of cancelled events included. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Fills a slot. */
  take(kind: number, a: number, b: number): number {
    const slot = this.#freed === noSlot ? this.#fresh() : this.#freed;
    const cells = this.#cells;
    const at = width * slot;
    this.#freed = cells[at + nextAt] as number;
    this.#waiting++;
    cells[at + kindAt] = kind;
    cells[at + aAt] = a;
    cells[at + bAt] = b;
    cells[at + nextAt] = noSlot;
    return slot;
  }

  /** A safe integer: the slot below, its uses above. Unique until a slot was used 2^31 times. */
  idOf(slot: number): number {
    return (this.#cells[width * slot + usesAt] as number) * pendingMax + slot;
  }

  /** The slot of an event that still waits; undefined when it does not. */
  slotOf(id: number): number | undefined {
    const slot = id % pendingMax;
    const waits = slot < this.#used && this.idOf(slot) === id && this.kindOf(slot) >= 0;
    return waits ? slot : undefined;
  }

  kindOf(slot: number): number {
    return this.#cells[width * slot + kindAt] as number;
  }

  aOf(slot: number): number {
    return this.#cells[width * slot + aAt] as number;
  }

  bOf(slot: number): number {
    return this.#cells[width * slot + bAt] as number;
  }

  nextOf(slot: number): number {
    return this.#cells[width * slot + nextAt] as number;
  }

  setNext(slot: number, next: number): void {
    this.#cells[width * slot + nextAt] = next;
  }

  cancel(slot: number): void {
    this.#cells[width * slot + kindAt] = cancelled;
  }

  isCancelled(slot: number): boolean {
    return this.#cells[width * slot + kindAt] === cancelled;
  }

  release(slot: number): void {
    const cells = this.#cells;
    const at = width * slot;
    cells[at + kindAt] = free;
    cells[at + usesAt] = ((cells[at + usesAt] as number) + 1) & usesMask;
    cells[at + nextAt] = this.#freed;
    this.#freed = slot;
    this.#waiting--;
  }

  #fresh(): number {
    assert(this.#used < this.#slotsMax, `at most ${this.#slotsMax} events wait at once`);
    if (width * this.#used === this.#cells.length) {
      const cells = new Int32Array(2 * this.#cells.length);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    const slot = this.#used++;
    this.#cells[width * slot + nextAt] = noSlot;
    return slot;
  }
}
