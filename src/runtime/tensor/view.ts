import { contiguousStrides, formatShape, sameShape, shapeError, sizeOf } from "./shape.ts";

/** Where the elements of a tensor lie in its storage, everything in elements. */
export interface View {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Which indices of a dimension to take, as Python's slices do: the ends are cut to what is there. */
export interface Range {
  /** Default the first index, or the last for a negative step. Negative counts from the end. */
  readonly start?: number;
  /** The first index not taken. Default beyond the end. Negative counts from the end. */
  readonly stop?: number;
  /** Default 1. Negative runs backwards. */
  readonly step?: number;
}

/** True when the elements lie in row-major order without gaps. */
export function isContiguousView({ shape, strides }: View): boolean {
  if (shape.includes(0)) return true;
  const wanted = contiguousStrides(shape);
  return shape.every((length, dim) => length === 1 || strides[dim] === wanted[dim]);
}

/** The dimension that a number names, negative ones counted from the end. Throws E_SHAPE. */
export function resolveDim(operation: string, dim: number, dims: number): number {
  const resolved = dim < 0 ? dim + dims : dim;
  if (Number.isInteger(dim) && resolved >= 0 && resolved < dims) return resolved;
  throw shapeError(operation, `there is no dimension ${dim} among ${dims}`);
}

/** The place in storage of one element. Throws E_SHAPE when the index is not within the shape. */
export function placeOf(view: View, index: readonly number[]): number {
  const { shape, strides, offset } = view;
  if (index.length !== shape.length) {
    throw shapeError("at", `${index.length} indices for the shape ${formatShape(shape)}`);
  }
  return index.reduce((place, at, dim) => {
    return place + resolveIndex("at", view, dim, at) * (strides[dim] as number);
  }, offset);
}

/** Puts the dimensions in this order. */
export function permuteView(view: View, order: readonly number[]): View {
  const { shape, strides, offset } = view;
  const dims = order.map((dim) => resolveDim("permute", dim, shape.length));
  if (dims.length !== shape.length || new Set(dims).size !== dims.length) {
    throw shapeError(
      "permute",
      `the order ${formatShape(order)} does not name each dimension of ${formatShape(shape)} once`,
    );
  }
  return {
    shape: dims.map((dim) => shape[dim] as number),
    strides: dims.map((dim) => strides[dim] as number),
    offset,
  };
}

/** Repeats dimensions of length 1, and puts new ones in front, without copies. */
export function expandView(view: View, shape: readonly number[]): View {
  sizeOf(shape, "expand");
  const added = shape.length - view.shape.length;
  const fits = view.shape.every((length, dim) => length === 1 || length === shape[added + dim]);
  if (added < 0 || !fits) {
    throw shapeError(
      "expand",
      `${formatShape(view.shape)} does not expand to ${formatShape(shape)}: only a dimension of 1 can be repeated`,
    );
  }
  const strides = shape.map((length, dim) => {
    const from = dim - added;
    return from < 0 || view.shape[from] !== length ? 0 : (view.strides[from] as number);
  });
  return { shape, strides, offset: view.offset };
}

/**
 * Takes indices out of the leading dimensions: a range, `null` for all of them, or a number, which
 * picks one index and drops the dimension.
 */
export function sliceView(view: View, ranges: readonly (Range | number | null)[]): View {
  if (ranges.length > view.shape.length) {
    throw shapeError("slice", `${ranges.length} ranges for the shape ${formatShape(view.shape)}`);
  }
  const shape: number[] = [];
  const strides: number[] = [];
  let offset = view.offset;
  for (const [dim, length] of view.shape.entries()) {
    const range = ranges[dim] ?? {};
    const stride = view.strides[dim] as number;
    if (typeof range === "number") {
      offset += resolveIndex("slice", view, dim, range) * stride;
      continue;
    }
    const { start, step, count } = resolveRange(range, length);
    // An empty range may start beyond the end; no element is read there.
    if (count > 0) offset += start * stride;
    shape.push(count);
    strides.push(stride * step);
  }
  return { shape, strides, offset };
}

/** The same elements in another shape, or undefined when their strides do not allow it. */
export function reshapeView(view: View, shape: readonly number[]): View | undefined {
  if (sameShape(view.shape, shape)) return view;
  if (shape.includes(0)) return { ...view, shape, strides: contiguousStrides(shape) };
  const strides = new Array<number>(shape.length).fill(1);
  const from = mergedDims(view).toReversed();
  let next = shape.length - 1;
  for (const { length, stride } of from) {
    let filled = 1;
    while (next >= 0 && filled < length) {
      strides[next] = filled * stride;
      filled *= shape[next] as number;
      next--;
    }
    if (filled !== length) return undefined;
  }
  return { shape, strides, offset: view.offset };
}

/** A dimension by itself. */
export interface Dim {
  readonly length: number;
  readonly stride: number;
}

/** The fewest dimensions that walk the same elements in the same order. Not for empty views. */
export function mergedDims({ shape, strides }: View): Dim[] {
  const merged: Dim[] = [];
  for (const [dim, length] of shape.entries()) {
    if (length === 1) continue;
    const stride = strides[dim] as number;
    const last = merged.at(-1);
    if (last !== undefined && last.stride === length * stride) {
      merged[merged.length - 1] = { length: last.length * length, stride };
    } else {
      merged.push({ length, stride });
    }
  }
  return merged;
}

function resolveIndex(operation: string, { shape }: View, dim: number, at: number): number {
  const length = shape[dim] as number;
  const resolved = at < 0 ? at + length : at;
  if (Number.isInteger(at) && resolved >= 0 && resolved < length) return resolved;
  throw shapeError(
    operation,
    `the index ${at} is not within dimension ${dim} of ${formatShape(shape)}`,
  );
}

function resolveRange(
  range: Range,
  length: number,
): { start: number; step: number; count: number } {
  const { step = 1 } = range;
  const forward = step > 0;
  const { start = forward ? 0 : length - 1, stop } = range;
  if (step === 0 || ![start, stop ?? 0, step].every(Number.isInteger)) {
    throw shapeError(
      "slice",
      `${JSON.stringify(range)} is no range: it takes whole numbers, and a step that is not 0`,
    );
  }
  // Backwards, the indices run from length - 1 down to 0, and -1 is the one after the last.
  const [first, last] = forward ? [0, length] : [-1, length - 1];
  const fromEnd = (at: number) => Math.min(Math.max(at < 0 ? at + length : at, first), last);
  const begin = range.start === undefined ? start : fromEnd(start);
  const end = stop === undefined ? (forward ? length : -1) : fromEnd(stop);
  const count = Math.max(0, Math.ceil((end - begin) / step));
  return { start: begin, step, count };
}
