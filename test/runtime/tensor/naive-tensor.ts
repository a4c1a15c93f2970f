/** A tensor as a function of its indices: what views mean, without strides. */
export interface NaiveTensor {
  readonly shape: readonly number[];
  at(index: readonly number[]): number;
}

export function allOf({ shape, at }: NaiveTensor): number[] {
  return indices(shape).map(at);
}

/** Every index of a shape in row-major order. */
export function indices(shape: readonly number[]): number[][] {
  const [length, ...rest] = shape;
  if (length === undefined) return [[]];
  const inner = indices(rest);
  return Array.from({ length }, (_, first) => inner.map((index) => [first, ...index])).flat();
}

/** Row-major numbers 0, 1, 2, … in a shape. */
export function counting(shape: readonly number[]): NaiveTensor {
  return {
    shape,
    at: (index) => index.reduce((place, at, dim) => place * (shape[dim] ?? 1) + at, 0),
  };
}

export function permuted({ shape, at }: NaiveTensor, order: readonly number[]): NaiveTensor {
  return {
    shape: order.map((dim) => shape[dim] ?? 0),
    at: (index) => at(shape.map((_, dim) => index[order.indexOf(dim)] ?? 0)),
  };
}

/** Keeps these indices of one dimension, in this order. */
export function taken(
  { shape, at }: NaiveTensor,
  dim: number,
  kept: readonly number[],
): NaiveTensor {
  return {
    shape: shape.map((length, other) => (other === dim ? kept.length : length)),
    at: (index) => at(index.map((place, other) => (other === dim ? (kept[place] ?? -1) : place))),
  };
}

export function picked({ shape, at }: NaiveTensor, dim: number, place: number): NaiveTensor {
  return {
    shape: shape.toSpliced(dim, 1),
    at: (index) => at(index.toSpliced(dim, 0, place)),
  };
}

export function repeated({ shape, at }: NaiveTensor, times: number): NaiveTensor {
  return { shape: [times, ...shape], at: ([, ...index]) => at(index) };
}

export function reshaped(tensor: NaiveTensor, shape: readonly number[]): NaiveTensor {
  const values = allOf(tensor);
  const places = counting(shape);
  return { shape, at: (index) => values[places.at(index)] ?? Number.NaN };
}
