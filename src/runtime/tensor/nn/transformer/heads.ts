import { allocateRaw } from "../../dtype/index.ts";
import { Tensor } from "../../tensor.ts";

/** [batch, positions, heads * width] as [batch, heads, positions, width]. */
export function splitHeads(x: Tensor, heads: number): Tensor {
  const [batch = 0, positions = 0, width = 0] = x.shape;
  return x.reshape([batch, positions, heads, width / heads]).permute([0, 2, 1, 3]);
}

/** The inverse of `splitHeads`. */
export function joinHeads(x: Tensor): Tensor {
  const [batch = 0, heads = 0, positions = 0, width = 0] = x.shape;
  return x.permute([0, 2, 1, 3]).reshape([batch, positions, heads * width]);
}

/** Tensors of one shape side by side along the last dimension. */
export function joinColumns(parts: readonly [Tensor, ...Tensor[]]): Tensor {
  const [{ dtype, shape }] = parts;
  const width = shape.at(-1) ?? 0;
  const rows = width === 0 ? 0 : parts[0].size / width;
  const total = width * parts.length;
  const out = allocateRaw(dtype, rows * total);
  for (const [index, part] of parts.entries()) {
    const raw = part.toRaw();
    for (let row = 0; row < rows; row++) {
      out.set(raw.subarray(row * width, (row + 1) * width), row * total + index * width);
    }
  }
  return Tensor.over(out, { dtype, shape: [...shape.slice(0, -1), total] });
}

/** Part `index` of `count` equal parts along the last dimension, as a view. */
export function columnsOf(
  x: Tensor,
  { index, count }: { readonly index: number; readonly count: number },
): Tensor {
  const width = (x.shape.at(-1) ?? 0) / count;
  const ranges = x.shape.map((_, dim) =>
    dim === x.shape.length - 1 ? { start: index * width, stop: (index + 1) * width } : null,
  );
  return x.slice(ranges);
}
