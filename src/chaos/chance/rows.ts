import assert from "node:assert/strict";
import { philoxGroupWords } from "../../runtime/tensor/kernels/philox/philox-group.ts";
import type { ChanceRows } from "./chance.ts";
import type { StreamSource } from "./source.ts";
import { unitOf } from "./unit.ts";

/** The streams of all entities of a purpose side by side: one that is drawn from is a line of memory, no object. */
export class PhiloxRows implements ChanceRows {
  readonly #source: StreamSource;
  readonly #words: Uint32Array;
  /** By entity: which of its words is next, and how many groups of words it has had. */
  readonly #next: Uint8Array;
  readonly #groups: Float64Array;

  constructor(source: StreamSource, entities: number) {
    this.#source = source;
    this.#words = new Uint32Array(entities * philoxGroupWords);
    this.#next = new Uint8Array(entities).fill(philoxGroupWords);
    this.#groups = new Float64Array(entities);
  }

  uint32(entity: number): number {
    let next = this.#next[entity];
    if (next === undefined) assert.fail("an entity of these rows");
    if (next === philoxGroupWords) next = this.#refill(entity);
    this.#next[entity] = next + 1;
    return this.#words[entity * philoxGroupWords + next] as number;
  }

  float(entity: number): number {
    let next = this.#next[entity];
    if (next === undefined) assert.fail("an entity of these rows");
    if (next === philoxGroupWords) next = this.#refill(entity);
    // Both words of one group, as nearly always: in one go.
    if (next + 2 <= philoxGroupWords) {
      this.#next[entity] = next + 2;
      const at = entity * philoxGroupWords + next;
      return unitOf(this.#words[at] as number, this.#words[at + 1] as number);
    }
    const high = this.uint32(entity);
    return unitOf(high, this.uint32(entity));
  }

  #refill(entity: number): number {
    const group = this.#groups[entity] as number;
    this.#groups[entity] = group + 1;
    this.#source.fill(entity, group, this.#words, entity * philoxGroupWords);
    return 0;
  }
}
