import { TesseraError } from "../../platform/errors/index.ts";

/** Refuses what an operation was given, in its own words: `matmul: 3 columns meet 4 rows.` */
export function shapeError(operation: string, problem: string): TesseraError<"E_SHAPE"> {
  return new TesseraError("E_SHAPE", { operation, problem });
}

/**
 * How many elements a shape has, exactly; 1 for no dimensions at all. Throws E_SHAPE unless every
 * dimension is a whole number from 0 and their product is below 2^53.
 */
export function sizeOf(shape: readonly number[], operation = "shape"): number {
  let size = 1;
  for (const length of shape) {
    if (!Number.isSafeInteger(length) || length < 0) {
      throw shapeError(
        operation,
        `${formatShape(shape)} is no shape: a dimension is a whole number from 0`,
      );
    }
    size *= length;
  }
  // A dimension of 0 makes it empty, however large the others are.
  if (shape.includes(0)) return 0;
  if (size > Number.MAX_SAFE_INTEGER) {
    throw shapeError(operation, `${formatShape(shape)} has more elements than can be counted`);
  }
  return size;
}

/** The strides of a contiguous row-major tensor, in elements. */
export function contiguousStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    strides[dim] = stride;
    stride *= Math.max(shape[dim] as number, 1);
  }
  return strides;
}

export function sameShape(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((length, dim) => length === other[dim]);
}

/** `[2, 3]`, as messages show a shape. */
export function formatShape(shape: readonly number[]): string {
  return `[${shape.join(", ")}]`;
}
