import { type DimSlice, type Layout, sliceAt } from "../../layout/index.ts";
import type { Mesh } from "../../mesh/index.ts";
import { type Meeting, meet } from "./meet.ts";

/** The part of a dimension that some ranks hold. */
interface DimPart {
  readonly slice: DimSlice;
  /** What the coordinates on the axes that split the dimension add to the rank. */
  readonly rankOffset: number;
}

/** A part of a dimension that a slice meets, and how. */
interface MetPart {
  readonly meeting: Meeting;
  readonly rankOffset: number;
}

/** What ranks of a mesh hold of a box, and which. */
export interface HeldPart {
  /** One rank that holds it: the one with coordinate 0 on every axis that does not split. */
  readonly base: number;
  /** Where the box (one) and the part (other) meet in each dimension. */
  readonly dims: readonly Meeting[];
  readonly elements: number;
}

/** The parts a layout cuts each dimension into, to find those that a box needs. */
export class SourceParts {
  readonly #dims: readonly (readonly DimPart[])[];
  readonly #met: readonly Map<string, readonly MetPart[]>[];
  /** Replicas ask for the same box one after the other. */
  #last: { readonly key: string; readonly parts: readonly HeldPart[] } | undefined;

  constructor(mesh: Mesh, layout: Layout, shape: readonly number[]) {
    this.#met = shape.map(() => new Map<string, readonly MetPart[]>());
    this.#dims = shape.map((length, dim) => {
      const axes = layout.splitsOf(dim).map(({ axis }) => mesh.axes[axis] ?? "");
      return mesh.groupOf(0, axes).map((rank) => {
        const coordinates = mesh.coordinatesOf(rank);
        return { slice: sliceAt(layout, { mesh, length, dim, coordinates }), rankOffset: rank };
      });
    });
  }

  /** The parts that together are the box. */
  of(box: readonly DimSlice[]): readonly HeldPart[] {
    const key = box.map(keyOf).join(", ");
    if (this.#last?.key !== key) {
      const parts = combine(box.map((slice, dim) => this.#meetingsOf(slice, dim)));
      this.#last = { key, parts };
    }
    return this.#last.parts;
  }

  #meetingsOf(slice: DimSlice, dim: number): readonly MetPart[] {
    const known = this.#met[dim]?.get(keyOf(slice));
    if (known !== undefined) return known;
    const met = (this.#dims[dim] ?? []).flatMap(({ slice: part, rankOffset }) => {
      const meeting = meet(slice, part);
      return meeting === undefined ? [] : [{ meeting, rankOffset }];
    });
    this.#met[dim]?.set(keyOf(slice), met);
    return met;
  }
}

/** Every combination of one met part per dimension. */
function combine(met: readonly (readonly MetPart[])[]): readonly HeldPart[] {
  let all: readonly HeldPart[] = [{ base: 0, dims: [], elements: 1 }];
  for (const parts of met) {
    all = all.flatMap(({ base, dims, elements }) =>
      parts.map(({ meeting, rankOffset }) => ({
        base: base + rankOffset,
        dims: [...dims, meeting],
        elements: elements * meeting.inOne.count,
      })),
    );
  }
  return all;
}

function keyOf({ start, step, count }: DimSlice): string {
  return `${start} ${step} ${count}`;
}
