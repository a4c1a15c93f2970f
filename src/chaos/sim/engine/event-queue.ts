import assert from "node:assert/strict";

/** So many events may wait; more are a leak. */
export const pendingMax = 2 ** 22;

/** A time is read in digits of ten bits; three of them fit into a whole number of 32 bits. */
const digitBits = 10;
const digitMask = 2 ** digitBits - 1;
const halfBits = 3 * digitBits;
const halfSize = 2 ** halfBits;
const levels = 6;
const buckets = levels << digitBits;

/** A slot's numbers lie together: what is read for one event comes from one place of memory. */
const widthBits = 3;
const kindAt = 0;
const aAt = 1;
const bAt = 2;
/** The slot that comes after this one, of a list or of free slots. */
const nextAt = 3;
/** The time, in two halves. */
const lowAt = 4;
const highAt = 5;
/** How often the slot was used, so that the id of an event that is over means nothing. */
const usesAt = 6;
const usesMask = 2 ** 30 - 1;
/** An id of few bits is made without an object of its own: there are millions of them. */
const shortSlotBits = 13;
const shortUsesBits = 18;
const idSlots = 2 * pendingMax;

const slotsFirst = 1024;
const free = -1;
const cancelled = -2;
/** In the place of a slot: there is none. */
const noSlot = 0;

/** Cancelled events stay where they are until they are more than so many, and more than half of all. */
const garbageMin = 64;

/**
 * Events in the order of their times, and of when they were asked for where times are equal.
 *
 * A wheel of wheels (Varghese and Lauck, "Hashed and hierarchical timing wheels", 1987): an event waits at
 * the level of the highest digit in which its time differs from the present, in the list of that digit.
 * When time comes to a list of a higher level, its events go to the lists below. Those are empty then, and
 * all that comes later goes behind, so events of one time stay in order without anything being compared.
 */
export class EventQueue {
  /** Of the event that was taken last. */
  kind = 0;
  a = 0;
  b = 0;
  timeUs = 0;
  #cells = new Int32Array(slotsFirst << widthBits);
  /** First and last slot of each list. */
  readonly #ends = new Int32Array(2 * buckets);
  /** A bit for each list that is not empty; and a bit for each 32 of them. */
  readonly #filled = new Int32Array(buckets >> 5);
  readonly #filledWords = new Int32Array(levels);
  /** How far time has come, never beyond the first event: in halves, and the upper half in microseconds. */
  #low = 0;
  #high = 0;
  #highUs = 0;
  /** The list of the present microsecond. */
  #bucket = 0;
  /** The last one freed, from which the others follow. */
  #freed = noSlot;
  #used = 0;
  #waiting = 0;
  #garbage = 0;
  readonly #slotsMax: number;

  constructor(eventsMax: number) {
    assert(eventsMax >= 1 && eventsMax <= pendingMax, `at most ${pendingMax} events wait at once`);
    this.#slotsMax = eventsMax;
  }

  get pending(): number {
    return this.#waiting - this.#garbage;
  }

  /** Returns an id for `cancel`: a safe integer, unique until a slot was used 2^30 times. */
  push(timeUs: number, kind: number, a: number, b: number): number {
    const slot = this.#freed === noSlot ? this.#fresh() : this.#freed;
    const cells = this.#cells;
    const at = slot << widthBits;
    this.#freed = cells[at + nextAt] as number;
    this.#waiting++;
    cells[at + kindAt] = kind;
    cells[at + aAt] = a;
    cells[at + bAt] = b;
    const low = timeUs - this.#highUs;
    if (low < this.#low) assert.fail("an event is not before what time has come to");
    if (low < halfSize) {
      cells[at + lowAt] = low;
      cells[at + highAt] = this.#high;
      this.#append(this.#nearBucket(low | 0), slot);
    } else this.#pushFar(timeUs, slot);
    return idOf(slot, cells[at + usesAt] as number);
  }

  #pushFar(timeUs: number, slot: number): void {
    const high = Math.floor(timeUs / halfSize);
    this.#cells[(slot << widthBits) + lowAt] = timeUs - high * halfSize;
    this.#cells[(slot << widthBits) + highAt] = high;
    this.#append(this.#farBucket(high), slot);
  }

  /** The kind of the event that was taken back; -1 when it has happened or was taken back before. */
  cancel(id: number): number {
    const slot = slotOf(id);
    const at = slot << widthBits;
    const cells = this.#cells;
    if (slot < 1 || slot > this.#used || idOf(slot, cells[at + usesAt] as number) !== id) return -1;
    const kind = cells[at + kindAt] as number;
    if (kind < 0) return -1;
    cells[at + kindAt] = cancelled;
    this.#garbage++;
    if (this.#garbage > garbageMin && 2 * this.#garbage > this.#waiting) this.#sweep();
    return kind;
  }

  /** Takes the next event that is due up to a time; false when there is none. */
  take(untilUs: number): boolean {
    for (;;) {
      let slot = this.#ends[2 * this.#bucket] as number;
      if (slot === noSlot) {
        if (!this.#advance(untilUs)) return false;
        slot = this.#ends[2 * this.#bucket] as number;
      } else if (this.#highUs + this.#low > untilUs) return false;
      this.#unlinkFirst(this.#bucket, slot);
      const cells = this.#cells;
      const at = slot << widthBits;
      const kind = cells[at + kindAt] as number;
      this.kind = kind;
      this.a = cells[at + aAt] as number;
      this.b = cells[at + bAt] as number;
      this.#release(slot);
      if (kind !== cancelled) {
        this.timeUs = this.#highUs + this.#low;
        return true;
      }
      this.#garbage--;
    }
  }

  /** Lets time come to the next list of a microsecond; false when it would be beyond a time. */
  #advance(untilUs: number): boolean {
    const filledWords = this.#filledWords;
    for (;;) {
      let level = 0;
      while (level < levels && filledWords[level] === 0) level++;
      if (level === levels) return false;
      const word = (level << 5) + lowestBit(filledWords[level] as number);
      const bucket = (word << 5) + lowestBit(this.#filled[word] as number);
      const digit = bucket & digitMask;
      let low = 0;
      let high = this.#high;
      if (level < 3) low = withDigit(this.#low, level, digit);
      else high = withDigit(high, level - 3, digit);
      const highUs = high * halfSize;
      if (highUs + low > untilUs) return false;
      this.#low = low;
      this.#high = high;
      this.#highUs = highUs;
      if (level === 0) {
        this.#bucket = bucket;
        return true;
      }
      this.#scatter(bucket);
    }
  }

  /** Puts the events of a list into those below. */
  #scatter(bucket: number): void {
    const cells = this.#cells;
    let slot = this.#ends[2 * bucket] as number;
    this.#empty(bucket);
    while (slot !== noSlot) {
      const at = slot << widthBits;
      const next = cells[at + nextAt] as number;
      const high = cells[at + highAt] as number;
      const below =
        high === this.#high ? this.#nearBucket(cells[at + lowAt] as number) : this.#farBucket(high);
      this.#append(below, slot);
      slot = next;
    }
  }

  /** The list for a time whose upper half is that of the present. */
  #nearBucket(low: number): number {
    const differs = low ^ this.#low;
    const level = differs < 1 << digitBits ? 0 : differs < 1 << (2 * digitBits) ? 1 : 2;
    return (level << digitBits) | ((low >> (level * digitBits)) & digitMask);
  }

  #farBucket(high: number): number {
    const differs = high ^ this.#high;
    const digit = differs < 1 << digitBits ? 0 : differs < 1 << (2 * digitBits) ? 1 : 2;
    return ((3 + digit) << digitBits) | ((high >> (digit * digitBits)) & digitMask);
  }

  #append(bucket: number, slot: number): void {
    const ends = this.#ends;
    const last = ends[2 * bucket + 1] as number;
    if (last === noSlot) {
      ends[2 * bucket] = slot;
      const word = bucket >> 5;
      this.#filled[word] = (this.#filled[word] as number) | (1 << (bucket & 31));
      const level = bucket >> digitBits;
      this.#filledWords[level] = (this.#filledWords[level] as number) | (1 << (word & 31));
    } else this.#cells[(last << widthBits) + nextAt] = slot;
    ends[2 * bucket + 1] = slot;
    this.#cells[(slot << widthBits) + nextAt] = noSlot;
  }

  #unlinkFirst(bucket: number, slot: number): void {
    const next = this.#cells[(slot << widthBits) + nextAt] as number;
    if (next === noSlot) this.#empty(bucket);
    else this.#ends[2 * bucket] = next;
  }

  #empty(bucket: number): void {
    this.#ends[2 * bucket] = noSlot;
    this.#ends[2 * bucket + 1] = noSlot;
    const word = bucket >> 5;
    const filled = (this.#filled[word] as number) & ~(1 << (bucket & 31));
    this.#filled[word] = filled;
    if (filled !== 0) return;
    const level = bucket >> digitBits;
    this.#filledWords[level] = (this.#filledWords[level] as number) & ~(1 << (word & 31));
  }

  #release(slot: number): void {
    const cells = this.#cells;
    const at = slot << widthBits;
    cells[at + kindAt] = free;
    cells[at + usesAt] = ((cells[at + usesAt] as number) + 1) & usesMask;
    cells[at + nextAt] = this.#freed;
    this.#freed = slot;
    this.#waiting--;
  }

  /** Takes cancelled events out of all lists. */
  #sweep(): void {
    for (let bucket = 0; bucket < buckets; bucket++) {
      let slot = this.#ends[2 * bucket] as number;
      if (slot === noSlot) continue;
      this.#empty(bucket);
      while (slot !== noSlot) {
        const at = slot << widthBits;
        const next = this.#cells[at + nextAt] as number;
        if (this.#cells[at + kindAt] === cancelled) this.#release(slot);
        else this.#append(bucket, slot);
        slot = next;
      }
    }
    this.#garbage = 0;
  }

  #fresh(): number {
    assert(this.#used < this.#slotsMax, `at most ${this.#slotsMax} events wait at once`);
    const slot = ++this.#used;
    if ((slot + 1) << widthBits > this.#cells.length) {
      const cells = new Int32Array(2 * this.#cells.length);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    return slot;
  }
}

function idOf(slot: number, uses: number): number {
  if (slot < 1 << shortSlotBits && uses < 1 << shortUsesBits) {
    return (uses << shortSlotBits) | slot;
  }
  return -(uses * idSlots + slot);
}

function slotOf(id: number): number {
  return id >= 0 ? id % (1 << shortSlotBits) : -id % idSlots;
}

/** The number of the lowest bit that is set. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** A half of a time with one digit put in and zeros below it. */
function withDigit(half: number, digit: number, value: number): number {
  const shift = digit * digitBits;
  return (half & ~((1 << (shift + digitBits)) - 1)) | (value << shift);
}
