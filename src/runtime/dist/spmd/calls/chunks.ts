import { TesseraError } from "../../../../platform/errors/index.ts";
import { allocateRaw } from "../../../tensor/dtype/index.ts";
import { Tensor } from "../../../tensor/index.ts";

/** The dimension meant, counted from 0. @throws E_COLLECTIVE when the tensor does not have it. */
export function resolveDim(op: string, { shape }: Tensor, dim: number): number {
  const resolved = dim < 0 ? dim + shape.length : dim;
  if (Number.isInteger(resolved) && resolved >= 0 && resolved < shape.length) return resolved;
  const problem = `dimension ${dim} is none of a tensor of ${shape.length} dimensions`;
  const remedy = "Name a dimension from 0 up, or from the end with -1.";
  throw new TesseraError("E_COLLECTIVE", { op, problem, remedy });
}

/** Lengths of the parts of a dimension: ceil(length / count) each while it lasts, then less or 0. */
export function evenParts(length: number, count: number): readonly number[] {
  const step = Math.ceil(length / count);
  return Array.from({ length: count }, (_, at) => Math.max(0, Math.min(length - at * step, step)));
}

/** Views of a tensor, cut along a dimension into parts of these lengths. */
export function cut(tensor: Tensor, dim: number, parts: readonly number[]): readonly Tensor[] {
  let start = 0;
  return parts.map((length) => {
    const range = { start, stop: start + length };
    start += length;
    return tensor.slice([...tensor.shape.slice(0, dim).map(() => null), range]);
  });
}

/** A tensor in `count` parts along a dimension, by the rule of `evenParts`. */
export function chunkAlong(tensor: Tensor, dim: number, count: number): readonly Tensor[] {
  return cut(tensor, dim, evenParts(tensor.shape[dim] ?? 0, count));
}

/** One tensor out of several that differ at most in the length of one dimension, bit for bit. */
export function concatenate(tensors: readonly Tensor[], dim: number): Tensor {
  const [first] = tensors as [Tensor, ...Tensor[]];
  const lengths = tensors.map(({ shape }) => shape[dim] ?? 0);
  const shape = first.shape.with(
    dim,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  const rows = first.shape.slice(0, dim).reduce((product, length) => product * length, 1);
  const size = shape.reduce((product, length) => product * length, 1);
  const out = allocateRaw(first.dtype, size);
  const pitch = rows === 0 ? 0 : size / rows;
  let outStart = 0;
  for (const tensor of tensors) {
    const width = rows === 0 ? 0 : tensor.size / rows;
    for (let row = 0; row < rows; row++) {
      const stretch = { start: row * width, count: width, outStart: outStart + row * pitch };
      tensor.copyTo(out, stretch);
    }
    outStart += width;
  }
  return Tensor.over(out, { dtype: first.dtype, shape });
}
