import { allocateRaw, type DType, decodeInto, encodeInto, type RawArray } from "../dtype/index.ts";
import { sameShape, sizeOf } from "../shape.ts";
import { Tensor } from "../tensor.ts";
import { broadcastShape } from "./broadcast.ts";
import { requireSameDType } from "./operands.ts";

// Large enough to forget the cost of a piece, small enough to stay in the fastest cache.
const pieceElements = 4096;
// One pair for all calls, which never overlap: fresh ones would cost more than small tensors do.
const aPiece = new Float64Array(pieceElements);
const bPiece = new Float64Array(pieceElements);

/** `fn` of every element in f64, rounded once to the dtype of the tensor. */
export function mapElements(x: Tensor, fn: (value: number) => number): Tensor {
  const raw = x.toRaw();
  const out = allocateRaw(x.dtype, x.size);
  for (let start = 0; start < x.size; start += pieceElements) {
    const count = Math.min(pieceElements, x.size - start);
    decodeInto(x.dtype, raw, start, count, aPiece);
    for (let i = 0; i < count; i++) aPiece[i] = fn(aPiece[i] as number);
    encodeInto(x.dtype, aPiece, 0, count, out, start);
  }
  return Tensor.over(out, { dtype: x.dtype, shape: x.shape });
}

/**
 * `fn` of every pair of elements in f64, rounded once to their dtype; shapes grow to each other.
 * Throws E_DTYPE when the dtypes differ, E_SHAPE when the shapes do not go together.
 */
export function zipElements(
  operation: string,
  [a, b]: readonly [Tensor, Tensor],
  fn: (a: number, b: number) => number,
): Tensor {
  requireSameDType(operation, a, b);
  const shape = broadcastShape(operation, a.shape, b.shape);
  const size = sizeOf(shape);
  const dtype: DType = a.dtype;
  const aRaw = grown(a, shape);
  const bRaw = grown(b, shape);
  const out = allocateRaw(dtype, size);
  for (let start = 0; start < size; start += pieceElements) {
    const count = Math.min(pieceElements, size - start);
    decodeInto(dtype, aRaw, start, count, aPiece);
    decodeInto(dtype, bRaw, start, count, bPiece);
    for (let i = 0; i < count; i++) aPiece[i] = fn(aPiece[i] as number, bPiece[i] as number);
    encodeInto(dtype, aPiece, 0, count, out, start);
  }
  return Tensor.over(out, { dtype, shape });
}

function grown(x: Tensor, shape: readonly number[]): RawArray {
  return sameShape(x.shape, shape) ? x.toRaw() : x.expand(shape).toRaw();
}
