import { toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { fromValues } from "../../../../src/runtime/tensor/index.ts";
import { openFake } from "../device/on-fake.ts";
import { hostRandom } from "../tensor/on-fake-tensors.ts";

/** Sides that fill no block. */
export const [m, k, n] = [40, 96, 160];

/** The fake GPU, and pairs of factors on it. */
export function products() {
  const device = openFake();
  const make = (shape: readonly number[], seed: number) =>
    toDevice(hostRandom(shape, { dtype: "bf16", seed }), device);
  const pair = (at: number) => ({ a: make([m, k], 2 * at), b: make([k, n], 2 * at + 1) });
  return { device, pair };
}

/** The highest bit of the exponent of an element, counted from the start of the buffer. */
export function topBit(row: number, column: number, columns: number): number {
  return 16 * (row * columns + column) + 14;
}

export function fromRows(rows: readonly (readonly number[])[]) {
  return fromValues(rows, { dtype: "bf16" });
}
