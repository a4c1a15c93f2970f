import type { DType, RawArray } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { type BitPatch, type ChunkSource, readSource } from "../../tensor/reduce/index.ts";
import type { DimSlice } from "../layout/index.ts";
import type { Block, Stretch } from "./block.ts";
import { heldWeakly } from "./held-weakly.ts";
import { readWhole, TensorBlock } from "./tensor-block.ts";

/** Another block with some bits turned over: what is the same stays shared with it. */
export class PatchedBlock implements Block {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  readonly tensor: () => Tensor;
  readonly #base: Block;
  readonly #patches: readonly BitPatch[];

  constructor(base: Block, patches: readonly BitPatch[]) {
    this.dtype = base.dtype;
    this.shape = base.shape;
    this.size = base.size;
    this.#base = base;
    this.#patches = patches;
    this.tensor = heldWeakly(() => readWhole(this));
  }

  read(out: RawArray, { start, count, outStart }: Stretch): void {
    readSource(this.source(), this.dtype, start, count, out, outStart);
  }

  source(): ChunkSource {
    return { kind: "patched", source: this.#base.source(), patches: this.#patches };
  }

  slice(slices: readonly DimSlice[]): Block {
    return new TensorBlock(this.tensor()).slice(slices);
  }
}

/** Turns over one bit of an element, counted from the lowest. */
export function flipOf({ index, bit }: { index: number; bit: number }): BitPatch {
  return bit < 32 ? { index, xor: 1 << bit } : { index, xor: 0, xorHigh: 1 << (bit - 32) };
}
