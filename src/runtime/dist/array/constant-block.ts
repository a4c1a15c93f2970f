import { type DType, type RawArray, roundTo } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { type ChunkSource, readSource } from "../../tensor/reduce/index.ts";
import { sizeOf } from "../../tensor/shape.ts";
import type { DimSlice } from "../layout/index.ts";
import type { Block, Stretch } from "./block.ts";
import { heldWeakly } from "./held-weakly.ts";
import { boxShape } from "./runs.ts";
import { readWhole } from "./tensor-block.ts";

export interface ConstantBlockOptions {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Rounded to the dtype. */
  readonly value: number;
}

/** The same number everywhere; no memory. */
export class ConstantBlock implements Block {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  readonly tensor: () => Tensor;
  readonly #source: ChunkSource & { kind: "constant" };

  constructor({ dtype, shape, value }: ConstantBlockOptions) {
    this.dtype = dtype;
    this.shape = shape;
    this.size = sizeOf(shape);
    this.#source = { kind: "constant", value: roundTo(dtype, value) };
    this.tensor = heldWeakly(() => readWhole(this));
  }

  read(out: RawArray, { start, count, outStart }: Stretch): void {
    readSource(this.#source, this.dtype, start, count, out, outStart);
  }

  source(): ChunkSource {
    return this.#source;
  }

  slice(slices: readonly DimSlice[]): Block {
    const { dtype } = this;
    return new ConstantBlock({ dtype, shape: boxShape(slices), value: this.#source.value });
  }
}
