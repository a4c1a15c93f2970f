import type { Tensor } from "../../../../../runtime/tensor/index.ts";

/** [batch * positions, heads * width] as [batch, heads, positions, width]. */
export function splitHeads(
  x: Tensor,
  { batch, heads }: { readonly batch: number; readonly heads: number },
): Tensor {
  const [rows = 0, columns = 0] = x.shape;
  const view = x.reshape([batch, rows / batch, heads, columns / heads]);
  return view.permute([0, 2, 1, 3]).contiguous();
}

/** The inverse of `splitHeads`. */
export function joinHeads(x: Tensor): Tensor {
  const [batch = 0, heads = 0, positions = 0, width = 0] = x.shape;
  return x.permute([0, 2, 1, 3]).reshape([batch * positions, heads * width]);
}
