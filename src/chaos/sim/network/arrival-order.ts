import assert from "node:assert/strict";

const capacityFirst = 4096;
const capacityMax = 2 ** 24;
const empty = -1;

/**
 * The last arrival on each connection, so that a later message does not overtake. Arrivals that are over are
 * forgotten when room is needed, so it stays as small as what is on its way. Open addressing in typed arrays.
 */
export class ArrivalOrder {
  #keys = new Float64Array(capacityFirst).fill(empty);
  #arrivals = new Float64Array(capacityFirst);
  #used = 0;

  /** The time at which a message arrives that would arrive then if it were alone. Remembers it. */
  inOrder(connection: number, arrivalUs: number, nowUs: number): number {
    const at = this.#find(connection);
    if (this.#keys[at] === connection) {
      const inOrder = Math.max(arrivalUs, this.#arrivals[at] as number);
      this.#arrivals[at] = inOrder;
      return inOrder;
    }
    this.#keys[at] = connection;
    this.#arrivals[at] = arrivalUs;
    if (2 * ++this.#used > this.#keys.length) this.#forget(nowUs);
    return arrivalUs;
  }

  get size(): number {
    return this.#used;
  }

  /** Where it is, or the free place where it would be; at least half of the places are free. */
  #find(connection: number): number {
    const mask = this.#keys.length - 1;
    const upper = Math.floor(connection / 2 ** 32);
    let at = Math.imul((connection ^ upper) | 0, 0x9e3779b1);
    at = (at ^ (at >>> 15)) & mask;
    while (this.#keys[at] !== empty && this.#keys[at] !== connection) at = (at + 1) & mask;
    return at;
  }

  #forget(nowUs: number): void {
    const keys = this.#keys;
    const arrivals = this.#arrivals;
    let kept = 0;
    for (let old = 0; old < keys.length; old++) {
      if (keys[old] !== empty && (arrivals[old] as number) > nowUs) kept++;
    }
    // Room for many more than are kept, so that looking for them is seldom.
    const capacity = 8 * kept > keys.length ? 2 * keys.length : keys.length;
    assert(capacity <= capacityMax, `at most ${capacityMax / 2} connections are in use at once`);
    this.#keys = new Float64Array(capacity).fill(empty);
    this.#arrivals = new Float64Array(capacity);
    this.#used = kept;
    for (let old = 0; old < keys.length; old++) {
      const connection = keys[old] as number;
      const arrivalUs = arrivals[old] as number;
      if (connection === empty || arrivalUs <= nowUs) continue;
      const at = this.#find(connection);
      this.#keys[at] = connection;
      this.#arrivals[at] = arrivalUs;
    }
  }
}
