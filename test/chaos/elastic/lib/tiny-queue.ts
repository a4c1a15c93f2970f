/** Numbers that follow from a seed alone. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
  }

  /** In [0, 1). */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  int(below: number): number {
    return Math.floor(this.share() * below);
  }

  between(from: number, to: number): number {
    return from + this.int(to - from + 1);
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T;
  }
}

interface Entry {
  readonly atUs: number;
  readonly order: number;
  readonly act: () => void;
}

/** What will happen, by time and then by the order of the calls. */
export class TinyQueue {
  nowUs = 0;
  processed = 0;
  #order = 0;
  readonly #heap: Entry[] = [];

  at(atUs: number, act: () => void): void {
    this.#heap.push({ atUs: Math.max(atUs, this.nowUs), order: this.#order++, act });
    let at = this.#heap.length - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  after(delayUs: number, act: () => void): void {
    this.at(this.nowUs + delayUs, act);
  }

  /** False: nothing is left. */
  step(): boolean {
    const first = this.#heap[0];
    if (first === undefined) return false;
    const last = this.#heap.pop() as Entry;
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    this.nowUs = first.atUs;
    this.processed++;
    first.act();
    return true;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < this.#heap.length && this.#isBefore(below, least)) least = below;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const one = this.#heap[a] as Entry;
    const other = this.#heap[b] as Entry;
    return one.atUs - other.atUs < 0 || (one.atUs === other.atUs && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    const kept = this.#heap[a] as Entry;
    this.#heap[a] = this.#heap[b] as Entry;
    this.#heap[b] = kept;
  }
}
