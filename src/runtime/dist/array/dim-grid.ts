import assert from "node:assert/strict";
import type { DimSlice } from "../layout/index.ts";

/** Where an index of a dimension is kept. */
export interface Place {
  /** The number of the slice that has it. */
  readonly slice: number;
  /** Its index within that slice. */
  readonly at: number;
}

/**
 * The slices a dimension is cut into, and which of them has an index. Indices are asked for in
 * order, so the search starts where the last one was found.
 */
export class DimGrid {
  readonly slices: readonly DimSlice[];
  readonly #length: number;
  readonly #numbers: ReadonlyMap<string, number>;
  #last = 0;

  constructor(length: number, slices: readonly DimSlice[]) {
    const known = new Map(slices.filter(({ count }) => count > 0).map((one) => [keyOf(one), one]));
    this.#length = length;
    this.slices = [...known.values()].toSorted((one, other) => one.start - other.start);
    this.#numbers = new Map(this.slices.map((slice, number) => [keyOf(slice), number]));
    const covered = this.slices.reduce((sum, { count }) => sum + count, 0);
    assert(covered === length, "slices tile their dimension");
  }

  /** True when the dimension is in one piece. */
  get isWhole(): boolean {
    return this.slices.length <= 1;
  }

  /** The number of a slice that this grid was made of. */
  numberOf(slice: DimSlice): number {
    const number = this.#numbers.get(keyOf(slice));
    assert(number !== undefined, "a slice of this grid");
    return number;
  }

  find(index: number): Place {
    assert(index >= 0 && index < this.#length, "an index within its dimension");
    const { slices } = this;
    for (let tried = 0; tried < slices.length; tried++) {
      const slice = (this.#last + tried) % slices.length;
      const { start, step, count } = slices[slice] as DimSlice;
      const at = (index - start) / step;
      if (at >= 0 && at < count && Number.isInteger(at)) {
        this.#last = slice;
        return { slice, at };
      }
    }
    throw new assert.AssertionError({ message: `some slice has index ${index}` });
  }
}

function keyOf({ start, step, count }: DimSlice): string {
  return count === 1 ? `${start}` : `${start} ${step} ${count}`;
}
