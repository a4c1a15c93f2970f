import type { Tensor } from "../tensor.ts";

/** A view with two dimensions swapped, by default the last two; its own backward pass. */
export function transpose(x: Tensor, one = -2, other = -1): Tensor {
  return x.transpose(one, other);
}
