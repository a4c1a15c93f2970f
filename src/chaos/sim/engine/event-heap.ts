import assert from "node:assert/strict";

const capacityFirst = 1024;
/** So many events may wait; more are a leak. */
export const pendingMax = 2 ** 22;

/**
 * Numbers (slots of events) in the order of (time, sequence): a binary heap in typed arrays. No two
 * sequences are equal, so the order does not depend on how the heap happens to lie.
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

  /** The first one; there must be one. */
  first(): number {
    return this.#slots[0] as number;
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

  /** Takes out all slots that are not to be kept, in any order. */
  filter(keep: (slot: number) => boolean): void {
    let kept = 0;
    for (let at = 0; at < this.#size; at++) {
      const slot = this.#slots[at] as number;
      if (!keep(slot)) continue;
      this.#keys[2 * kept] = this.#keys[2 * at] as number;
      this.#keys[2 * kept + 1] = this.#keys[2 * at + 1] as number;
      this.#slots[kept++] = slot;
    }
    this.#size = kept;
    for (let at = (kept >> 1) - 1; at >= 0; at--) this.#settle(at, at);
  }

  /**
   * Puts what lies at `from` into the subtree of `hole`, whose root is free. The hole goes down to a leaf first
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
    for (let below = 2 * hole + 1; below < size; below = 2 * hole + 1) {
      const beside = below + 1;
      if (beside < size) {
        const belowTime = keys[2 * below] as number;
        const besideTime = keys[2 * beside] as number;
        const isBefore =
          besideTime < belowTime ||
          (besideTime === belowTime &&
            (keys[2 * beside + 1] as number) < (keys[2 * below + 1] as number));
        if (isBefore) below = beside;
      }
      keys[2 * hole] = keys[2 * below] as number;
      keys[2 * hole + 1] = keys[2 * below + 1] as number;
      slots[hole] = slots[below] as number;
      hole = below;
    }
    this.#rise(hole, top, time, sequence, slot);
  }

  /** Finds the place for something on the way from a free leaf up to `top`. */
  #rise(from: number, top: number, time: number, sequence: number, slot: number): void {
    const keys = this.#keys;
    const slots = this.#slots;
    let hole = from;
    while (hole > top) {
      const above = (hole - 1) >> 1;
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
