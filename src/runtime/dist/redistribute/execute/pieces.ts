import type { DType } from "../../../tensor/dtype/index.ts";
import { AssembledBlock, type Piece } from "../../array/assembled-block.ts";
import { type Block, identityOf } from "../../array/block.ts";
import type { DimSlice } from "../../layout/index.ts";

/** Cuts and joins blocks; what is the same again is made once, so that replicas share it. */
export class Pieces {
  readonly #dtype: DType;
  readonly #cut = new Map<Block, Map<string, Block>>();
  readonly #joined = new Map<string, Block>();

  constructor(dtype: DType) {
    this.#dtype = dtype;
  }

  /** The part of a block that the slices name; the block itself when that is all of it. */
  cut(block: Block, slices: readonly DimSlice[]): Block {
    if (slices.every((slice, dim) => isWhole(slice, block.shape[dim]))) return block;
    const cuts = this.#cut.get(block) ?? new Map<string, Block>();
    this.#cut.set(block, cuts);
    const key = JSON.stringify(slices);
    const known = cuts.get(key) ?? block.slice(slices);
    cuts.set(key, known);
    return known;
  }

  /** The block of this shape that the pieces make up. */
  join(shape: readonly number[], pieces: readonly Piece[]): Block {
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) return only.block;
    const places = pieces.map(({ slices }) => slices);
    const key = `${identityOf(pieces.map(({ block }) => block))} ${JSON.stringify([shape, places])}`;
    const dtype = this.#dtype;
    const known = this.#joined.get(key) ?? new AssembledBlock({ dtype, shape, pieces });
    this.#joined.set(key, known);
    return known;
  }
}

function isWhole({ start, step, count }: DimSlice, length: number | undefined): boolean {
  return start === 0 && count === length && (step === 1 || count <= 1);
}
