import type { RawArray } from "../dtype/index.ts";
import { formatShape, shapeError, sizeOf } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { broadcastShape } from "./broadcast.ts";
import { requireFloat, requireSameDType } from "./operands.ts";

/** A product of batches of matrices as `batches` products of contiguous row-major ones. */
export interface MatmulPlan {
  readonly batches: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** [batches, m, k], in row-major order. */
  readonly a: RawArray;
  /** [batches, k, n], in row-major order. */
  readonly b: RawArray;
  /** Of the result. */
  readonly shape: readonly number[];
}

/**
 * How to multiply [..., m, k] by [..., k, n]. Leading dimensions grow to each other; a `b` without
 * any meets all rows of `a` at once. Throws E_SHAPE and E_DTYPE.
 */
export function planMatmul(operation: string, a: Tensor, b: Tensor): MatmulPlan {
  requireFloat(operation, a);
  requireSameDType(operation, a, b);
  const [m, k] = matrixOf(operation, a);
  const [rows, n] = matrixOf(operation, b);
  if (k !== rows) {
    throw shapeError(
      operation,
      `the ${k} columns of ${formatShape(a.shape)} meet the ${rows} rows of ${formatShape(b.shape)}`,
    );
  }
  const batch = a.shape.slice(0, -2);
  if (b.shape.length === 2) {
    const shape = [...batch, m, n];
    return { batches: 1, m: sizeOf([...batch, m]), k, n, a: a.toRaw(), b: b.toRaw(), shape };
  }
  const both = broadcastShape(operation, batch, b.shape.slice(0, -2));
  return {
    batches: sizeOf(both),
    m,
    k,
    n,
    a: a.expand([...both, m, k]).toRaw(),
    b: b.expand([...both, k, n]).toRaw(),
    shape: [...both, m, n],
  };
}

function matrixOf(operation: string, { shape }: Tensor): readonly [number, number] {
  const [rows, columns] = shape.slice(-2);
  if (rows !== undefined && columns !== undefined) return [rows, columns];
  throw shapeError(operation, `${formatShape(shape)} is no matrix`);
}
