import assert from "node:assert/strict";
import { AssembledBlock } from "../../dist/array/assembled-block.ts";
import type { Block, Stretch } from "../../dist/array/block.ts";
import { boxShape } from "../../dist/array/runs.ts";
import type { DimSlice } from "../../dist/layout/index.ts";
import { type DType, dtypeInfo, type RawArray } from "../../tensor/dtype/index.ts";
import { sizeOf } from "../../tensor/shape.ts";
import type { PlannedChunk, PlannedTensor } from "./plan-save.ts";
import type { SnapshotTensor } from "./snapshot.ts";
import type { LeafRange } from "./tensor-digest.ts";

/** A stretch of a chunk that this rank does not hold. */
export interface Elsewhere extends Stretch {
  readonly chunk: PlannedChunk;
}

/** A tensor whose chunks lie on several ranks, as one of them sees it. */
export class LeafParts {
  readonly dtype: DType;
  /** Bytes of an element. */
  readonly width: number;
  /** Knows of every chunk only where it is. */
  readonly #places: Block;
  /** Has what this rank holds. */
  readonly #held: Block;
  #elsewhere: Elsewhere[] = [];

  constructor(tensor: PlannedTensor, held: SnapshotTensor, rank: number) {
    const { dtype, shape, chunks } = tensor;
    this.dtype = dtype;
    this.width = dtypeInfo(dtype).bytes;
    const note = (stretch: Elsewhere) => void this.#elsewhere.push(stretch);
    const absent = chunks.map((chunk) => new AbsentBlock(dtype, chunk, note));
    const present = absent.map((block, at) =>
      held.boxes[at]?.ranks.includes(rank) ? held.block(rank) : block,
    );
    const joined = (blocks: readonly Block[]) => {
      const pieces = blocks.map((block, at) => {
        return { block, slices: (chunks[at] as PlannedChunk).box };
      });
      return new AssembledBlock({ dtype, shape, pieces });
    };
    this.#places = joined(absent);
    this.#held = joined(present);
  }

  /** The rank that writes an element. */
  ownerOf(element: number): number {
    this.#elsewhere = [];
    this.#places.read(new Uint8Array(0), { start: element, count: 1, outStart: 0 });
    const [place] = this.#elsewhere;
    assert(place !== undefined, "every element is in a chunk");
    return place.chunk.owner;
  }

  /** Fills in what this rank holds, and says which stretches of which file are missing. */
  read(out: RawArray, { start, count }: LeafRange): ReadonlyMap<string, readonly Elsewhere[]> {
    this.#elsewhere = [];
    this.#held.read(out, { start, count, outStart: 0 });
    const byFile = new Map<string, Elsewhere[]>();
    for (const one of this.#elsewhere) {
      const list = byFile.get(one.chunk.file) ?? [];
      byFile.set(one.chunk.file, list);
      list.push(one);
    }
    return byFile;
  }
}

/** A chunk that another rank holds: reading it only notes what would be needed. */
class AbsentBlock implements Block {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  readonly #chunk: PlannedChunk;
  readonly #note: (stretch: Elsewhere) => void;

  constructor(dtype: DType, chunk: PlannedChunk, note: (stretch: Elsewhere) => void) {
    this.dtype = dtype;
    this.shape = boxShape(chunk.box);
    this.size = sizeOf(this.shape);
    this.#chunk = chunk;
    this.#note = note;
  }

  read(_out: RawArray, stretch: Stretch): void {
    this.#note({ ...stretch, chunk: this.#chunk });
  }

  source(): never {
    throw new Error("another rank holds it");
  }

  tensor(): never {
    return this.source();
  }

  slice(_slices: readonly DimSlice[]): never {
    return this.source();
  }
}
