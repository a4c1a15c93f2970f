import { fromValues, ops, randn, type Tensor } from "../../../../src/runtime/tensor/index.ts";

export const [m, k, n] = [24, 48, 40];

/** Factors by seed, and their product. */
export function pair(seed: number, shape = [m, k, n]): { a: Tensor; b: Tensor; c: Tensor } {
  const [rows = 0, inner = 0, columns = 0] = shape;
  const a = randn([rows, inner], { seed, stream: "a" });
  const b = randn([inner, columns], { seed, stream: "b" });
  return { a, b, c: ops.matmul(a, b) };
}

/** The tensor with changes at flat places. */
export function withChanges(
  x: Tensor,
  changes: Readonly<Record<number, (value: number) => number>>,
): Tensor {
  const values = x.toNumbers();
  for (const [at, change] of Object.entries(changes)) {
    values[Number(at)] = change(values[Number(at)] as number);
  }
  return fromValues(values, { shape: x.shape, dtype: x.dtype });
}
