import type { DType, RawArray } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { fillRandom, type RandomSpec } from "../../tensor/random/index.ts";
import type { ChunkSource } from "../../tensor/reduce/index.ts";
import { sizeOf } from "../../tensor/shape.ts";
import type { DimSlice } from "../layout/index.ts";
import type { Block, Stretch } from "./block.ts";
import { heldWeakly } from "./held-weakly.ts";
import { type Box, boxShape, onlyRun, runsOf } from "./runs.ts";
import { readWhole } from "./tensor-block.ts";

export interface RandomBlockOptions {
  readonly dtype: DType;
  readonly spec: RandomSpec;
  /** The part of the whole random tensor that this is. */
  readonly box: Box;
}

/** Random values of a part of a whole: each depends on its index in the whole alone. No memory. */
export class RandomBlock implements Block {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  readonly tensor: () => Tensor;
  readonly #spec: RandomSpec;
  readonly #box: Box;

  constructor({ dtype, spec, box }: RandomBlockOptions) {
    this.dtype = dtype;
    this.shape = boxShape(box.slices);
    this.size = sizeOf(this.shape);
    this.#spec = spec;
    this.#box = box;
    this.tensor = heldWeakly(() => readWhole(this));
  }

  read(out: RawArray, { start, count, outStart }: Stretch): void {
    for (const run of runsOf(this.#box, start, count)) {
      const at = outStart + run.boxStart - start;
      fillRandom(this.#spec, this.dtype, run.wholeStart, run.count, out, at);
    }
  }

  source(): ChunkSource {
    const start = onlyRun(this.#box);
    if (start !== undefined) return { kind: "random", spec: this.#spec, start };
    const { raw, offset } = this.tensor();
    return { kind: "raw", raw, start: offset };
  }

  slice(slices: readonly DimSlice[]): Block {
    const { dtype } = this;
    const inWhole = this.#box.slices.map((outer, dim) => {
      const { start, step, count } = slices[dim] as DimSlice;
      return { start: outer.start + start * outer.step, step: outer.step * step, count };
    });
    const box = { shape: this.#box.shape, slices: inWhole };
    return new RandomBlock({ dtype, spec: this.#spec, box });
  }
}
