import { allocateRaw } from "../dtype/index.ts";
import {
  additionsBeforeCarry,
  addToLimbs,
  carryLimbs,
  productLayoutOf,
} from "../fixed-point/index.ts";
import { formatShape, shapeError } from "../shape.ts";
import { Tensor } from "../tensor.ts";
import { ExactTensor } from "./exact/exact-tensor.ts";
import { dtypeError, requireFloat, requireShape, tensorOf } from "./operands.ts";

/** Which rows of a table were looked up, and how many it has. */
export interface Lookup {
  /** i32 or u8. */
  readonly indices: Tensor;
  readonly rows: number;
}

/**
 * The rows of a table [rows, columns] at whole-number indices [...], as [..., columns]. Exact.
 * Throws E_SHAPE for an index outside the table or a table that is none, E_DTYPE for indices that are not integers.
 */
export function embedding(table: Tensor, indices: Tensor): Tensor {
  const [rows, columns] = table.shape;
  if (rows === undefined || columns === undefined || table.shape.length !== 2) {
    throw shapeError("embedding", `${formatShape(table.shape)} is no table of rows and columns`);
  }
  const chosen = indicesWithin("embedding", indices, rows);
  const raw = table.toRaw();
  const out = allocateRaw(table.dtype, chosen.length * columns);
  for (const [i, row] of chosen.entries()) {
    out.set(raw.subarray(row * columns, (row + 1) * columns), i * columns);
  }
  return Tensor.over(out, { dtype: table.dtype, shape: [...indices.shape, columns] });
}

/**
 * The gradient of the table of `embedding`: each row the sum of the gradients of its uses, in f64
 * in row-major order of the indices, rounded once. Rows that were not used are +0.
 */
export function embeddingBackward(gradient: Tensor, lookup: Lookup): Tensor {
  const { columns, chosen } = usesOf(gradient, lookup);
  const values = gradient.toNumbers();
  const sums = new Float64Array(lookup.rows * columns);
  for (const [i, row] of chosen.entries()) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      sums[at] = (sums[at] as number) + (values[i * columns + column] as number);
    }
  }
  return tensorOf(sums, { dtype: gradient.dtype, shape: [lookup.rows, columns] });
}

/** As `embeddingBackward`, as exact sums that can be added to those of other parts of the batch. */
export function embeddingBackwardExact(gradient: Tensor, lookup: Lookup): ExactTensor {
  const { columns, chosen } = usesOf(gradient, lookup);
  const values = gradient.toNumbers();
  const layout = productLayoutOf(gradient.dtype);
  const limbs = new Float64Array(lookup.rows * columns * layout.width);
  const carry = () => {
    for (let at = 0; at < limbs.length; at += layout.width) carryLimbs(limbs, at, layout.limbs);
  };
  for (const [i, row] of chosen.entries()) {
    for (let column = 0; column < columns; column++) {
      const base = (row * columns + column) * layout.width;
      addToLimbs(limbs, base, layout, values[i * columns + column] as number);
    }
    if ((i + 1) % additionsBeforeCarry === 0) carry();
  }
  // Fresh sums have small limbs.
  carry();
  return ExactTensor.over(limbs, {
    dtype: gradient.dtype,
    shape: [lookup.rows, columns],
  });
}

interface Uses {
  readonly columns: number;
  readonly chosen: Float64Array;
}

function usesOf(gradient: Tensor, { indices, rows }: Lookup): Uses {
  const operation = "embeddingBackward";
  requireFloat(operation, gradient);
  const columns = gradient.shape.at(-1) ?? 0;
  requireShape(operation, gradient, { shape: [...indices.shape, columns], what: "gradient" });
  return { columns, chosen: indicesWithin(operation, indices, rows) };
}

/** The indices as numbers. Throws E_DTYPE unless they are integers, E_SHAPE for one outside. */
export function indicesWithin(operation: string, indices: Tensor, rows: number): Float64Array {
  if (indices.dtype !== "i32" && indices.dtype !== "u8") {
    throw dtypeError(operation, `indices are i32 or u8, not ${indices.dtype}`);
  }
  const values = indices.toNumbers();
  const outside = values.findIndex((value) => value < 0 || value >= rows);
  if (outside !== -1) {
    throw shapeError(
      operation,
      `index ${values[outside] ?? ""} at place ${outside} is outside 0 to ${rows - 1}`,
    );
  }
  return values;
}
