import { sizeOf } from "../shape.ts";
import type { Tensor } from "../tensor.ts";

/** [..., columns] as [rows, columns]: all leading dimensions are rows, in row-major order. */
export function asMatrix(x: Tensor): Tensor {
  return x.reshape([sizeOf(x.shape.slice(0, -1)), x.shape.at(-1) ?? 1]);
}
