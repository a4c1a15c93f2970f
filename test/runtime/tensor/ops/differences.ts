import { fromValues } from "../../../../src/runtime/tensor/create.ts";
import type { Tensor } from "../../../../src/runtime/tensor/tensor.ts";

const step = 2 ** -19;

/**
 * The gradient of the sum of `weights` times `fn(x)` by central differences in f64, to judge a
 * backward pass by: its error is of the order of step^2, 1e-9 or better for functions as smooth as ours.
 */
export function differences(fn: (x: Tensor) => Tensor, x: Tensor, weights: Tensor): Float64Array {
  const values = x.toNumbers();
  const factors = weights.toNumbers();
  const at = (index: number, change: number): number => {
    const moved = Float64Array.from(values);
    moved[index] = (values[index] as number) + change;
    const y = fn(fromValues(moved, { shape: x.shape, dtype: "f64" })).toNumbers();
    return y.reduce((sum, value, i) => sum + value * (factors[i] as number), 0);
  };
  return values.map((_, index) => (at(index, step) - at(index, -step)) / (2 * step));
}

/** The largest difference of two lists, as a share of the largest value or of 1. */
export function distance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (one.length !== other.length) return Infinity;
  let largest = 0;
  let scale = 1;
  for (let i = 0; i < one.length; i++) {
    const difference = Math.abs((one[i] as number) - (other[i] as number));
    // NaN is as far as can be.
    largest = difference <= largest ? largest : difference > largest ? difference : Infinity;
    scale = Math.max(scale, Math.abs(other[i] as number));
  }
  return largest / scale;
}
