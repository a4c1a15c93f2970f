import assert from "node:assert/strict";

/** What happened, as one number, with marks on the way that show where two runs part. */
export interface Trace {
  /** Events and notes. */
  readonly entries: number;
  /** 16 hexadecimal digits. */
  readonly hash: string;
  /** The hash after so many entries, at even distances; at most 1,024 of them. */
  readonly marks: readonly { readonly entries: number; readonly hash: string }[];
  /** The entries of the window that was asked for. */
  readonly window: readonly TraceEntry[];
}

export interface TraceEntry {
  /** Counted from 0. */
  readonly index: number;
  readonly timeUs: number;
  readonly name: string;
  readonly a: number;
  readonly b: number;
}

/** Entries to keep in full: `from` is the index of the first. */
export interface TraceWindow {
  readonly from: number;
  readonly entries: number;
}

export const windowEntriesMax = 2 ** 20;
export const namesMax = 2 ** 11;
const marksMax = 1024;
const two32 = 2 ** 32;
const byteDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * A rolling hash of 64 bits in two halves. Each word changes the halves by a bijection, so runs that once
 * differed and go on alike stay different.
 */
export class TraceRecorder {
  readonly #names: string[] = [];
  readonly #nameHashes = new Int32Array(namesMax);
  readonly #windowFrom: number;
  readonly #windowTo: number;
  readonly #kept: TraceEntry[] = [];
  /** The state of the hash after each `#markEvery` entries: two words for each mark. */
  readonly #marks = new Int32Array(2 * marksMax);
  #marked = 0;
  #low = 0x243f6a88 | 0;
  #high = 0x85a308d3 | 0;
  #entries = 0;
  #markEvery = 1;
  #markAt = 1;

  constructor(window: TraceWindow = { from: 0, entries: 0 }) {
    assert(
      window.from >= 0 && window.entries >= 0 && window.entries <= windowEntriesMax,
      `a window of a trace has at most ${windowEntriesMax} entries`,
    );
    this.#windowFrom = window.from;
    this.#windowTo = window.from + window.entries;
  }

  /** Gives a name its number. What enters the hash is the name, so that numbers may change. */
  name(name: string): number {
    const number = this.#names.push(name) - 1;
    assert(number < namesMax, `a trace has at most ${namesMax} names`);
    this.#nameHashes[number] = hashOf(name);
    return number;
  }

  add(timeUs: number, name: number, a: number, b: number): void {
    const upper = timeUs < two32 ? 0 : Math.floor(timeUs / two32);
    const named = (this.#nameHashes[name] as number) ^ Math.imul(upper, 0xc2b2ae3d);
    // The same four times, written out: this is done for every event.
    let low = this.#low ^ timeUs;
    low = Math.imul((low << 13) | (low >>> 19), 0x9e3779b1);
    let high = (this.#high + (timeUs | 0)) | 0;
    high = Math.imul(((high << 17) | (high >>> 15)) ^ low, 0x85ebca77);
    low ^= named;
    low = Math.imul((low << 13) | (low >>> 19), 0x9e3779b1);
    high = (high + named) | 0;
    high = Math.imul(((high << 17) | (high >>> 15)) ^ low, 0x85ebca77);
    low ^= a;
    low = Math.imul((low << 13) | (low >>> 19), 0x9e3779b1);
    high = (high + a) | 0;
    high = Math.imul(((high << 17) | (high >>> 15)) ^ low, 0x85ebca77);
    low ^= b;
    low = Math.imul((low << 13) | (low >>> 19), 0x9e3779b1);
    high = (high + b) | 0;
    high = Math.imul(((high << 17) | (high >>> 15)) ^ low, 0x85ebca77);
    this.#low = low;
    this.#high = high;
    const index = this.#entries++;
    if (index >= this.#windowFrom && index < this.#windowTo) {
      this.#kept.push({ index, timeUs, name: this.#names[name] ?? "", a, b });
    }
    if (this.#entries === this.#markAt) this.#mark();
  }

  hash(): string {
    return hexOf(this.#low, this.#high);
  }

  trace(): Trace {
    return {
      entries: this.#entries,
      hash: this.hash(),
      marks: Array.from({ length: this.#marked }, (_, at) => ({
        entries: (at + 1) * this.#markEvery,
        hash: hexOf(this.#marks[2 * at] as number, this.#marks[2 * at + 1] as number),
      })),
      window: [...this.#kept],
    };
  }

  /** When the list is full, every other mark goes and the distance doubles. */
  #mark(): void {
    const marks = this.#marks;
    if (this.#marked === marksMax) {
      this.#markEvery *= 2;
      this.#marked = marksMax / 2;
      for (let at = 0; at < this.#marked; at++) {
        marks[2 * at] = marks[4 * at + 2] as number;
        marks[2 * at + 1] = marks[4 * at + 3] as number;
      }
    }
    if (this.#entries % this.#markEvery === 0) {
      marks[2 * this.#marked] = this.#low;
      marks[2 * this.#marked + 1] = this.#high;
      this.#marked++;
    }
    this.#markAt = (Math.floor(this.#entries / this.#markEvery) + 1) * this.#markEvery;
  }
}

/** Every bit of the state changes about half of the digits. */
function hexOf(low: number, high: number): string {
  const first = finished(low ^ Math.imul(high, 0x27d4eb2f));
  const second = finished(high ^ Math.imul(first, 0x165667b1));
  return digits(first) + digits(second);
}

function hashOf(name: string): number {
  let hash = name.length;
  for (let at = 0; at < name.length; at++) hash = finished(hash ^ name.charCodeAt(at)) + at;
  return finished(hash);
}

function finished(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

function digits(word: number): string {
  return (
    (byteDigits[word >>> 24] as string) +
    (byteDigits[(word >>> 16) & 255] as string) +
    (byteDigits[(word >>> 8) & 255] as string) +
    (byteDigits[word & 255] as string)
  );
}
