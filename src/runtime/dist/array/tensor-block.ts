import type { DType, RawArray } from "../../tensor/dtype/index.ts";
import { allocateRaw } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import type { ChunkSource } from "../../tensor/reduce/index.ts";
import type { DimSlice } from "../layout/index.ts";
import type { Block, Stretch } from "./block.ts";
import { heldWeakly } from "./held-weakly.ts";

/** Elements that are there: a tensor, or a view of one. */
export class TensorBlock implements Block {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  readonly #tensor: Tensor;
  readonly #contiguous: () => Tensor;

  constructor(tensor: Tensor) {
    this.dtype = tensor.dtype;
    this.shape = tensor.shape;
    this.size = tensor.size;
    this.#tensor = tensor;
    this.#contiguous = tensor.isContiguous ? () => tensor : heldWeakly(() => tensor.contiguous());
  }

  read(out: RawArray, { start, count, outStart }: Stretch): void {
    this.#tensor.copyTo(out, { start, count, outStart });
  }

  source(): ChunkSource {
    const { raw, offset } = this.#contiguous();
    return { kind: "raw", raw, start: offset };
  }

  tensor(): Tensor {
    return this.#tensor;
  }

  slice(slices: readonly DimSlice[]): Block {
    const ranges = slices.map(({ start, step, count }) =>
      count === 0 ? { start: 0, stop: 0 } : { start, stop: start + (count - 1) * step + 1, step },
    );
    return new TensorBlock(this.#tensor.slice(ranges));
  }
}

/** Reads a whole block into storage of its own. */
export function readWhole(block: Block): Tensor {
  const { dtype, shape, size } = block;
  const raw = allocateRaw(dtype, size);
  block.read(raw, { start: 0, count: size, outStart: 0 });
  return Tensor.over(raw, { dtype, shape });
}
