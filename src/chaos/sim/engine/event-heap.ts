import assert from "node:assert/strict";

const capacityFirst = 1024;
/** So many events may wait; more are a leak. */
export const pendingMax = 2 ** 22;

/** Children of a node lie side by side in memory: four keys fill one line of a processor's cache. */
const arityBits = 2;
const arity = 1 << arityBits;

/**
 * Numbers (slots of events) in the order of (time, sequence): a heap of four children a node, in typed arrays.
 * No two sequences are equal, so the order does not depend on how the heap happens to lie.
 */
export class EventHeap {
  /** Time and sequence of each, side by side: they are read together. */
  #keys = new Float64Array(2 * capacityFirst);
  #slots = new Int32Array(capacityFirst);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The time of the first one; Infinity when there is none. */
  firstTime(): number {
    return this.#size === 0 ? Infinity : (this.#keys[0] as number);
  }

  push(timeUs: number, sequence: number, slot: number): void {
    if (this.#size === this.#slots.length) this.#grow();
    this.#rise(this.#size++, 0, timeUs, sequence, slot);
  }

  /** Takes the first one out; there must be one. */
  pop(): number {
    if (this.#size === 0) assert.fail("there is an event to take");
    const slot = this.#slots[0] as number;
    const last = --this.#size;
    if (last > 0) this.#settle(0, last);
    return slot;
  }

  /** Puts another slot in the place of each, or none where it is negative. Asked in any order. */
  replace(by: (slot: number) => number): void {
    let kept = 0;
    for (let at = 0; at < this.#size; at++) {
      const slot = by(this.#slots[at] as number);
      if (slot < 0) continue;
      this.#keys[2 * kept] = this.#keys[2 * at] as number;
      this.#keys[2 * kept + 1] = this.#keys[2 * at + 1] as number;
      this.#slots[kept++] = slot;
    }
    this.#size = kept;
    for (let at = (kept - 2) >> arityBits; at >= 0; at--) this.#settle(at, at);
  }

  /**
   * Puts what lies at `from` into the subtree of `top`, whose root is free. The hole goes down to a leaf first
   * and what is put there rises: it comes from a leaf, so it seldom rises far.
   */
  #settle(top: number, from: number): void {
    const keys = this.#keys;
    const slots = this.#slots;
    const size = this.#size;
    const time = keys[2 * from] as number;
    const sequence = keys[2 * from + 1] as number;
    const slot = slots[from] as number;
    let hole = top;
    for (let child = (hole << arityBits) + 1; child < size; child = (hole << arityBits) + 1) {
      const end = Math.min(child + arity, size);
      let least = child;
      let leastTime = keys[2 * child] as number;
      for (let other = child + 1; other < end; other++) {
        const otherTime = keys[2 * other] as number;
        const isBefore =
          otherTime < leastTime ||
          (otherTime === leastTime &&
            (keys[2 * other + 1] as number) < (keys[2 * least + 1] as number));
        if (!isBefore) continue;
        least = other;
        leastTime = otherTime;
      }
      keys[2 * hole] = leastTime;
      keys[2 * hole + 1] = keys[2 * least + 1] as number;
      slots[hole] = slots[least] as number;
      hole = least;
    }
    this.#rise(hole, top, time, sequence, slot);
  }

  /** Finds the place for something on the way from a free leaf up to `top`. */
  #rise(from: number, top: number, time: number, sequence: number, slot: number): void {
    const keys = this.#keys;
    const slots = this.#slots;
    let hole = from;
    while (hole > top) {
      const above = (hole - 1) >> arityBits;
      const aboveTime = keys[2 * above] as number;
      const isBelow =
        aboveTime < time || (aboveTime === time && (keys[2 * above + 1] as number) < sequence);
      if (isBelow) break;
      keys[2 * hole] = aboveTime;
      keys[2 * hole + 1] = keys[2 * above + 1] as number;
      slots[hole] = slots[above] as number;
      hole = above;
    }
    keys[2 * hole] = time;
    keys[2 * hole + 1] = sequence;
    slots[hole] = slot;
  }

  #grow(): void {
    const capacity = 2 * this.#slots.length;
    assert(capacity <= pendingMax, `at most ${pendingMax} events wait at once`);
    const keys = new Float64Array(2 * capacity);
    const slots = new Int32Array(capacity);
    keys.set(this.#keys);
    slots.set(this.#slots);
    this.#keys = keys;
    this.#slots = slots;
  }
}
