import { EventHeap } from "./event-heap.ts";
import { EventPool, noSlot } from "./event-pool.ts";

/** Cancelled events stay where they are until they are more than so many, and more than half of all. */
const garbageMin = 64;

/**
 * Events in the order of their times, and of when they were asked for where times are equal. Those that were
 * asked for one after the other for the same time, as by the end of an exchange, wait as one list behind
 * its first: nothing can come between them, so only that one has a place in the heap.
 */
export class EventQueue {
  /** Of the event that was taken last. */
  kind = 0;
  a = 0;
  b = 0;
  readonly #heap = new EventHeap();
  readonly #pool: EventPool;
  #sequence = 0;
  #garbage = 0;
  /** What is left of the list that is being taken. */
  #list = noSlot;
  #listUs = 0;
  /** The event that was asked for last, while nothing of its list was taken. */
  #last = noSlot;
  #lastUs = 0;

  constructor(eventsMax: number) {
    this.#pool = new EventPool(eventsMax);
  }

  get pending(): number {
    return this.#pool.waiting - this.#garbage;
  }

  /** Returns an id for `cancel`. */
  push(timeUs: number, kind: number, a: number, b: number): number {
    const slot = this.#pool.take(kind, a, b);
    if (timeUs === this.#lastUs && this.#last !== noSlot) {
      this.#pool.setNext(this.#last, slot);
    } else {
      this.#heap.push(timeUs, this.#sequence++, slot);
      this.#lastUs = timeUs;
    }
    this.#last = slot;
    return this.#pool.idOf(slot);
  }

  /** The kind of the event that was taken back; -1 when it has happened or was taken back before. */
  cancel(id: number): number {
    const slot = this.#pool.slotOf(id);
    if (slot === undefined) return -1;
    const kind = this.#pool.kindOf(slot);
    this.#pool.cancel(slot);
    this.#garbage++;
    if (this.#garbage > garbageMin && 2 * this.#garbage > this.#pool.waiting) this.#sweep();
    return kind;
  }

  /** When the next event is due; Infinity when there is none. */
  firstTime(): number {
    for (;;) {
      if (this.#list === noSlot) {
        const timeUs = this.#heap.firstTime();
        if (timeUs === Infinity || this.#garbage === 0) return timeUs;
        this.#open(timeUs);
      }
      if (this.#garbage === 0 || !this.#pool.isCancelled(this.#list)) return this.#listUs;
      this.#garbage--;
      this.#drop();
    }
  }

  /** Takes the event that is due at `firstTime`, which must have been asked for. */
  take(timeUs: number): void {
    if (this.#list === noSlot) this.#open(timeUs);
    const slot = this.#list;
    const pool = this.#pool;
    this.kind = pool.kindOf(slot);
    this.a = pool.aOf(slot);
    this.b = pool.bOf(slot);
    this.#drop();
  }

  #open(timeUs: number): void {
    this.#list = this.#heap.pop();
    this.#listUs = timeUs;
    // It may be over before another is put behind it.
    this.#last = noSlot;
  }

  #drop(): void {
    const slot = this.#list;
    this.#list = this.#pool.nextOf(slot);
    this.#pool.release(slot);
  }

  #sweep(): void {
    this.#list = this.#withoutCancelled(this.#list);
    this.#heap.replace((slot) => this.#withoutCancelled(slot));
    this.#last = noSlot;
    this.#garbage = 0;
  }

  /** The first slot of what is left of a list. */
  #withoutCancelled(list: number): number {
    const pool = this.#pool;
    let first = noSlot;
    let last = noSlot;
    for (let slot = list; slot !== noSlot; ) {
      const next = pool.nextOf(slot);
      if (pool.isCancelled(slot)) pool.release(slot);
      else {
        if (last === noSlot) first = slot;
        else pool.setNext(last, slot);
        pool.setNext(slot, noSlot);
        last = slot;
      }
      slot = next;
    }
    return first;
  }
}
