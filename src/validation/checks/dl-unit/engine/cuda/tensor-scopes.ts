import assert from "node:assert/strict";
import type { CudaTensor } from "../../../../../runtime/cuda/tensor/index.ts";

/** Which tensors a piece of work has made, so that they are freed at its end. */
export class TensorScopes {
  readonly #open: Set<CudaTensor>[] = [new Set()];

  /** Puts a new tensor into the innermost scope. */
  track(tensor: CudaTensor): CudaTensor {
    this.#innermost().add(tensor);
    return tensor;
  }

  /** Frees tensors before their scope ends. */
  drop(tensors: readonly CudaTensor[]): void {
    for (const tensor of tensors) {
      for (const scope of this.#open) scope.delete(tensor);
      tensor.free();
    }
  }

  scope<R>(work: (keep: (tensor: CudaTensor) => CudaTensor) => R): R {
    const own = this.#begin();
    try {
      return work((tensor) => this.#keep(own, tensor));
    } finally {
      this.#end(own);
    }
  }

  async scopeAsync<R>(work: (keep: (tensor: CudaTensor) => CudaTensor) => Promise<R>): Promise<R> {
    const own = this.#begin();
    try {
      return await work((tensor) => this.#keep(own, tensor));
    } finally {
      this.#end(own);
    }
  }

  /** Frees everything. */
  close(): void {
    for (const scope of this.#open) for (const tensor of scope) tensor.free();
    this.#open.splice(0, this.#open.length, new Set());
  }

  #begin(): Set<CudaTensor> {
    const own = new Set<CudaTensor>();
    this.#open.push(own);
    return own;
  }

  #end(own: Set<CudaTensor>): void {
    // What was opened within and not ended, because of an error, ends with it.
    while (this.#open.length > 1) {
      const last = this.#open.pop();
      for (const tensor of last ?? []) tensor.free();
      if (last === own) return;
    }
  }

  /** A kept tensor belongs to the scope around the one it was made in. */
  #keep(own: Set<CudaTensor>, tensor: CudaTensor): CudaTensor {
    const outer = this.#open[this.#open.indexOf(own) - 1];
    assert(outer !== undefined, "a scope lies in another");
    own.delete(tensor);
    outer.add(tensor);
    return tensor;
  }

  #innermost(): Set<CudaTensor> {
    const last = this.#open.at(-1);
    assert(last !== undefined, "there is always a scope");
    return last;
  }
}
