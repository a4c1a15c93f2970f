import { dtypeInfo, type Tensor } from "../../tensor/index.ts";

/** A row of a product that is not what it must be. */
export interface WrongRow {
  readonly row: number;
  readonly detail: string;
}

/** Compares products of the same two matrices with what they must be, row by row. */
export interface RowCheck {
  check(product: Tensor): readonly WrongRow[];
}

/**
 * The check by checksums that Huang and Abraham described: C r must be A (B r). The weights r are
 * small whole numbers, so that the sum of a row in f64 loses nothing and a single flipped bit of C
 * changes it. The first product is held against A (B r) within the rounding a product of its dtype
 * may have; every later one must have the sums of the first, bit for bit.
 */
export function createRowCheck(a: Tensor, b: Tensor): RowCheck {
  const [rows = 0, inner = 0] = a.shape;
  const columns = b.shape[1] ?? 0;
  const weights = Float64Array.from({ length: columns }, (_, column) => 1 + (column % 7));
  const bSums = weighted(b.toNumbers(), weights, inner);
  const aValues = a.toNumbers();
  const expected = new Float64Array(rows);
  const allowed = new Float64Array(rows);
  // All values are above 0, so the sums are their own bounds. A chain of k rounded steps is off by
  // k half units of f32 at most, and the result is rounded once more to its own dtype.
  const relative = inner * 2 ** -24 + roundingOf(a);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    let size = 0;
    for (let k = 0; k < inner; k++) {
      const part = (aValues[row * inner + k] ?? 0) * (bSums[k] ?? 0);
      sum += part;
      size += Math.abs(part);
    }
    expected[row] = sum;
    allowed[row] = relative * size;
  }
  let first: Float64Array | undefined;
  return {
    check: (product) => {
      const sums = weighted(product.toNumbers(), weights, rows);
      const wrong: WrongRow[] = [];
      for (let row = 0; row < rows; row++) {
        const found = sums[row] ?? Number.NaN;
        const wanted = (first ?? expected)[row] ?? Number.NaN;
        const off = first === undefined ? (allowed[row] ?? 0) : 0;
        // Written so that NaN is wrong.
        if (Math.abs(found - wanted) <= off) continue;
        wrong.push({ row, detail: `checksum ${found} instead of ${wanted}` });
      }
      if (wrong.length === 0) first ??= sums;
      return wrong;
    },
  };
}

/** The weighted sum of each row. */
function weighted(values: Float64Array, weights: Float64Array, rows: number): Float64Array {
  const columns = weights.length;
  const sums = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    const start = row * columns;
    for (let column = 0; column < columns; column++) {
      sum += (values[start + column] as number) * (weights[column] as number);
    }
    sums[row] = sum;
  }
  return sums;
}

/** The largest relative error of one rounding to the tensor's dtype. */
function roundingOf({ dtype }: Tensor): number {
  return 2 ** -dtypeInfo(dtype).precision;
}
