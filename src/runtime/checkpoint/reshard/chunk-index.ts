import type { DimSlice } from "../../dist/layout/split.ts";
import { type Box, type CommonBox, intersectBoxes, keyOfSlice } from "./box.ts";
import { intersectSlices } from "./slice.ts";

/** A box of a list that shares elements with another one; `inA` is in the box of the list. */
export interface Meeting {
  readonly index: number;
  readonly common: CommonBox;
}

interface KnownSlice {
  readonly id: number;
  readonly slice: DimSlice;
}

/**
 * Boxes of one tensor, found by what they share with another. Boxes of a layout are a grid: each
 * dimension has few distinct slices, so that only boxes which do meet are looked at. Boxes that are
 * no grid are looked at one by one.
 */
export class ChunkIndex {
  readonly #boxes: readonly Box[];
  /** The distinct slices of each dimension. */
  readonly #slices: readonly ReadonlyMap<
    string,
    { readonly id: number; readonly slice: DimSlice }
  >[];
  readonly #byIds = new Map<string, number[]>();
  readonly #met = new Map<string, readonly KnownSlice[]>();

  constructor(rank: number, boxes: readonly Box[]) {
    this.#boxes = boxes;
    const slices = Array.from({ length: rank }, () => {
      return new Map<string, KnownSlice>();
    });
    for (const [index, box] of boxes.entries()) {
      const ids = slices.map((known, dim) => {
        const slice = box[dim] as DimSlice;
        const key = keyOfSlice(slice);
        const entry = known.get(key) ?? { id: known.size, slice };
        known.set(key, entry);
        return entry.id;
      });
      const key = ids.join(",");
      const same = this.#byIds.get(key);
      if (same === undefined) this.#byIds.set(key, [index]);
      else same.push(index);
    }
    this.#slices = slices;
  }

  /** The boxes that share elements with this one, in the order of the list. */
  meetings(box: Box): readonly Meeting[] {
    const perDim = this.#slices.map((_, dim) => this.#metBy(dim, box[dim] as DimSlice));
    const combinations = perDim.reduce((product, met) => product * met.length, 1);
    const candidates =
      combinations > this.#boxes.length ? [...this.#boxes.keys()] : this.#named(perDim);
    return candidates.flatMap((index) => {
      const common = intersectBoxes(this.#boxes[index] as Box, box);
      return common === undefined ? [] : [{ index, common }];
    });
  }

  /** The slices of a dimension that meet this one; asked for again by every box that has it. */
  #metBy(dim: number, slice: DimSlice): readonly KnownSlice[] {
    const key = `${dim} ${keyOfSlice(slice)}`;
    const known = this.#met.get(key);
    if (known !== undefined) return known;
    const met = [...(this.#slices[dim]?.values() ?? [])].filter(
      (one) => intersectSlices(one.slice, slice) !== undefined,
    );
    this.#met.set(key, met);
    return met;
  }

  #named(perDim: readonly (readonly { readonly id: number }[])[]): number[] {
    let keys: string[] = [""];
    for (const [dim, met] of perDim.entries()) {
      keys = keys.flatMap((key) => met.map(({ id }) => (dim === 0 ? `${id}` : `${key},${id}`)));
    }
    return keys.flatMap((key) => this.#byIds.get(key) ?? []).toSorted((a, b) => a - b);
  }
}
