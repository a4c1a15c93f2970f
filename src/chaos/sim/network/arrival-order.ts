import assert from "node:assert/strict";

const capacityFirst = 4096;
const capacityMax = 2 ** 24;
const empty = -1;

/**
 * The last arrival on each connection, so that a later message does not overtake. Arrivals that are over are
 * forgotten when room is needed, so it stays as small as what is on its way. Open addressing in typed arrays.
 */
export class ArrivalOrder {
  /** Connection and arrival, side by side: they are read together. */
  #places = emptyPlaces(capacityFirst);
  #mask = capacityFirst - 1;
  #used = 0;

  /** The time at which a message arrives that would arrive then if it were alone. Remembers it. */
  inOrder(connection: number, arrivalUs: number, nowUs: number): number {
    const at = this.#find(connection);
    const places = this.#places;
    if (places[at] === connection) {
      const inOrder = Math.max(arrivalUs, places[at + 1] as number);
      places[at + 1] = inOrder;
      return inOrder;
    }
    places[at] = connection;
    places[at + 1] = arrivalUs;
    if (2 * ++this.#used > this.#mask + 1) this.#forget(nowUs);
    return arrivalUs;
  }

  get size(): number {
    return this.#used;
  }

  /** Where it is, or the free place where it would be; at least half of the places are free. */
  #find(connection: number): number {
    const places = this.#places;
    const mask = this.#mask;
    const upper = connection < 2 ** 32 ? 0 : Math.floor(connection / 2 ** 32);
    let at = Math.imul((connection ^ upper) | 0, 0x9e3779b1);
    at = (at ^ (at >>> 15)) & mask;
    while (places[2 * at] !== empty && places[2 * at] !== connection) at = (at + 1) & mask;
    return 2 * at;
  }

  #forget(nowUs: number): void {
    const old = this.#places;
    let kept = 0;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] !== empty && (old[at + 1] as number) > nowUs) kept++;
    }
    // Room for many more than are kept, so that looking for them is seldom.
    const before = this.#mask + 1;
    const capacity = 8 * kept > before ? 2 * before : before;
    assert(capacity <= capacityMax, `at most ${capacityMax / 2} connections are in use at once`);
    this.#places = emptyPlaces(capacity);
    this.#mask = capacity - 1;
    this.#used = kept;
    for (let from = 0; from < old.length; from += 2) {
      const connection = old[from] as number;
      const arrivalUs = old[from + 1] as number;
      if (connection === empty || arrivalUs <= nowUs) continue;
      const at = this.#find(connection);
      this.#places[at] = connection;
      this.#places[at + 1] = arrivalUs;
    }
  }
}

function emptyPlaces(capacity: number): Float64Array {
  return new Float64Array(2 * capacity).fill(empty);
}
