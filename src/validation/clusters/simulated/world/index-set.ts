import type { RngStream } from "../../../../platform/rng/index.ts";

/** A set of whole numbers below a bound, from which one is drawn at random in constant time. */
export class IndexSet {
  readonly #members: number[] = [];
  /** Where each number stands among the members; -1 for one that is not there. */
  readonly #placeOf: Int32Array;

  constructor(bound: number) {
    this.#placeOf = new Int32Array(bound).fill(-1);
  }

  get size(): number {
    return this.#members.length;
  }

  set(index: number, isMember: boolean): void {
    const place = this.#placeOf[index] ?? -1;
    if (isMember === place >= 0) return;
    if (isMember) {
      this.#placeOf[index] = this.#members.length;
      this.#members.push(index);
      return;
    }
    const last = this.#members.pop();
    if (last !== undefined && last !== index) {
      this.#members[place] = last;
      this.#placeOf[last] = place;
    }
    this.#placeOf[index] = -1;
  }

  /** One of the members, each equally likely; there must be one. */
  draw(random: RngStream): number {
    return random.pick(this.#members);
  }
}
