/** Numbers of a matrix in row-major order; sums of them are made in f64. */
export type DataArray = Float32Array | Float64Array;

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** x w: for each row the weighted sum of its elements. */
export function rowSums(x: DataArray, { rows, columns }: Size, weights: DataArray): Float64Array {
  const out = new Float64Array(rows);
  for (let row = 0; row < rows; row++) out[row] = rowSum(x, row * columns, weights);
  return out;
}

/** The weighted sum of as many elements as there are weights, from `start` on. */
export function rowSum(x: DataArray, start: number, weights: DataArray): number {
  const count = weights.length;
  // Four sums: one would have to wait for each addition before the next.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at + 3 < count; at += 4) {
    a += (x[start + at] as number) * (weights[at] as number);
    b += (x[start + at + 1] as number) * (weights[at + 1] as number);
    c += (x[start + at + 2] as number) * (weights[at + 2] as number);
    d += (x[start + at + 3] as number) * (weights[at + 3] as number);
  }
  for (; at < count; at++) a += (x[start + at] as number) * (weights[at] as number);
  return a + b + (c + d);
}

/** |x| w: the same of magnitudes. */
export function rowSizes(x: DataArray, { rows, columns }: Size, weights?: DataArray): Float64Array {
  const out = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let a = 0;
    let b = 0;
    let at = 0;
    if (weights === undefined) {
      for (; at + 1 < columns; at += 2) {
        a += Math.abs(x[start + at] as number);
        b += Math.abs(x[start + at + 1] as number);
      }
      if (at < columns) a += Math.abs(x[start + at] as number);
    } else {
      for (; at + 1 < columns; at += 2) {
        a += Math.abs(x[start + at] as number) * (weights[at] as number);
        b += Math.abs(x[start + at + 1] as number) * (weights[at + 1] as number);
      }
      if (at < columns) a += Math.abs(x[start + at] as number) * (weights[at] as number);
    }
    out[row] = a + b;
  }
  return out;
}

/** wᵀ x: for each column the weighted sum of its elements. */
export function columnSums(
  x: DataArray,
  { rows, columns }: Size,
  weights: DataArray,
): Float64Array {
  const out = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    const weight = weights[row] as number;
    for (let at = 0; at < columns; at++) {
      out[at] = (out[at] as number) + weight * (x[start + at] as number);
    }
  }
  return out;
}

/** wᵀ |x|: the same of magnitudes, every row with weight 1 where none are given. */
export function columnSizes(
  x: DataArray,
  { rows, columns }: Size,
  weights?: DataArray,
): Float64Array {
  const out = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    const weight = weights === undefined ? 1 : (weights[row] as number);
    for (let at = 0; at < columns; at++) {
      out[at] = (out[at] as number) + weight * Math.abs(x[start + at] as number);
    }
  }
  return out;
}

/** For each row the root of the sum of its squares. */
export function rowNorms(x: DataArray, { rows, columns }: Size): Float64Array {
  const out = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let a = 0;
    let b = 0;
    let at = row * columns;
    const end = at + columns;
    for (; at + 1 < end; at += 2) {
      const one = x[at] as number;
      const two = x[at + 1] as number;
      a += one * one;
      b += two * two;
    }
    if (at < end) a += (x[at] as number) ** 2;
    out[row] = Math.sqrt(a + b);
  }
  return out;
}
