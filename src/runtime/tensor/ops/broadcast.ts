import { formatShape, sameShape, shapeError } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { sum } from "./reductions.ts";

/**
 * The shape two shapes grow to: aligned at the last dimension, a dimension of 1 (or one that is not
 * there) takes the length of the other. Throws E_SHAPE where two lengths differ.
 */
export function broadcastShape(
  operation: string,
  one: readonly number[],
  other: readonly number[],
): readonly number[] {
  if (sameShape(one, other)) return one;
  const dims = Math.max(one.length, other.length);
  return Array.from({ length: dims }, (_, dim) => {
    const a = one[dim - dims + one.length] ?? 1;
    const b = other[dim - dims + other.length] ?? 1;
    if (a !== b && a !== 1 && b !== 1) {
      throw shapeError(
        operation,
        `${formatShape(one)} and ${formatShape(other)} do not go together`,
      );
    }
    return a === 1 ? b : a;
  });
}

/**
 * The backward pass of growing from `shape`: the gradient summed over every dimension that was
 * repeated. The order and precision are those of `sum`.
 */
export function sumToShape(gradient: Tensor, shape: readonly number[]): Tensor {
  if (sameShape(gradient.shape, shape)) return gradient;
  const added = gradient.shape.length - shape.length;
  const dims = gradient.shape.flatMap((length, dim) =>
    dim < added || (shape[dim - added] === 1 && length !== 1) ? [dim] : [],
  );
  return sum(gradient, { dims }).reshape(shape);
}
