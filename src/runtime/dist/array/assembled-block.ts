import assert from "node:assert/strict";
import type { DType, RawArray } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { ChunkSource } from "../../tensor/reduce/index.ts";
import { contiguousStrides, sizeOf } from "../../tensor/shape.ts";
import type { DimSlice } from "../layout/index.ts";
import type { Block, Stretch } from "./block.ts";
import { DimGrid } from "./dim-grid.ts";
import { readWhole, TensorBlock } from "./tensor-block.ts";

/** A block and the indices of the whole that its elements have. */
export interface Piece {
  readonly block: Block;
  readonly slices: readonly DimSlice[];
}

export interface AssembledBlockOptions {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /**
   * One for each combination of the dimensions' slices, or a function that is asked for them when
   * they are read. Empty ones may be left out.
   */
  readonly pieces: readonly Piece[] | (() => readonly Piece[]);
}

/**
 * A whole made of pieces, which are put together only as far as they are read. Once it is needed as
 * a tensor it is kept, and the pieces are let go.
 */
export class AssembledBlock implements Block {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  #state: (() => Pieces) | Tensor;

  constructor({ dtype, shape, pieces }: AssembledBlockOptions) {
    this.dtype = dtype;
    this.shape = shape;
    this.size = sizeOf(shape);
    let made: Pieces | undefined;
    this.#state = () => {
      made ??= new Pieces(shape, typeof pieces === "function" ? pieces() : pieces);
      return made;
    };
  }

  read(out: RawArray, stretch: Stretch): void {
    if (typeof this.#state === "function") this.#state().read(out, stretch);
    else this.#state.copyTo(out, stretch);
  }

  source(): ChunkSource {
    const { raw, offset } = this.tensor();
    return { kind: "raw", raw, start: offset };
  }

  tensor(): Tensor {
    if (typeof this.#state === "function") this.#state = readWhole(this);
    return this.#state;
  }

  slice(slices: readonly DimSlice[]): Block {
    return new TensorBlock(this.tensor()).slice(slices);
  }
}

class Pieces {
  readonly #shape: readonly number[];
  readonly #grids: readonly DimGrid[];
  readonly #blocks = new Map<number, Block>();
  /** The innermost dimension that is cut; -1 when none is. */
  readonly #cut: number;
  /** Elements of everything inside one index of the cut dimension. */
  readonly #inner: number;

  constructor(shape: readonly number[], pieces: readonly Piece[]) {
    const filled = pieces.filter(({ block }) => block.size > 0);
    this.#shape = shape;
    this.#grids =
      filled.length === 0 ? [] : shape.map((length, dim) => gridOf(length, dim, filled));
    this.#cut = this.#grids.findLastIndex((grid) => !grid.isWhole);
    this.#inner = shape.slice(this.#cut + 1).reduce((product, length) => product * length, 1);
    for (const { block, slices } of filled) {
      this.#blocks.set(
        this.#keyOf(this.#grids.map((grid, dim) => grid.numberOf(slices[dim] as DimSlice))),
        block,
      );
    }
  }

  read(out: RawArray, { start, count, outStart }: Stretch): void {
    for (let done = 0; done < count; ) {
      const { block, at, run } = this.#runAt(start + done);
      const taken = Math.min(run, count - done);
      block.read(out, { start: at, count: taken, outStart: outStart + done });
      done += taken;
    }
  }

  /** The block that has an element of the whole, and how many of those that follow it has too. */
  #runAt(index: number): { block: Block; at: number; run: number } {
    const inside = index % this.#inner;
    let rest = (index - inside) / this.#inner;
    const numbers = this.#grids.map(() => 0);
    const local = this.#grids.map(() => 0);
    let run = this.#inner - inside;
    for (let dim = this.#cut; dim >= 0; dim--) {
      const length = this.#shape[dim] as number;
      const grid = this.#grids[dim] as DimGrid;
      const { slice, at } = grid.find(rest % length);
      const { step, count } = grid.slices[slice] as DimSlice;
      numbers[dim] = slice;
      local[dim] = at;
      if (dim === this.#cut && step === 1) run += (count - 1 - at) * this.#inner;
      rest = Math.floor(rest / length);
    }
    const block = this.#blocks.get(this.#keyOf(numbers));
    assert(block !== undefined, "there is a piece for every combination of slices");
    const strides = contiguousStrides(block.shape);
    const at = local.reduce((sum, one, dim) => sum + one * (strides[dim] as number), inside);
    return { block, at, run };
  }

  #keyOf(numbers: readonly number[]): number {
    return numbers.reduce(
      (key, number, dim) => key * (this.#grids[dim] as DimGrid).slices.length + number,
      0,
    );
  }
}

function gridOf(length: number, dim: number, pieces: readonly Piece[]): DimGrid {
  return new DimGrid(
    length,
    pieces.map(({ slices }) => slices[dim] as DimSlice),
  );
}
