import assert from "node:assert/strict";
import { createRng } from "../../../../platform/rng/index.ts";
import {
  type DType,
  dtypeInfo,
  fromValues,
  type Tensor,
} from "../../../../runtime/tensor/index.ts";

/**
 * Rows and columns after which the matrices repeat themselves. Prime, so that the repetition never
 * falls in step with the tiles of a kernel.
 */
const periodMax = 61;

/**
 * A product of integer matrices whose answer is known. The left factor has `rows` rows, of which the
 * first `period` are random and the others repeat them; the right factor's columns likewise. So the
 * product repeats one tile, which integer arithmetic gives in a moment however large the matrices.
 */
export interface IntegerProduct {
  readonly inner: number;
  /** [tileRows, inner]: row i of the left factor is row i mod tileRows of it. */
  readonly left: Int8Array;
  readonly tileRows: number;
  /** [inner, tileColumns]: column j of the right factor is column j mod tileColumns of it. */
  readonly right: Int8Array;
  readonly tileColumns: number;
  /** [tileRows, tileColumns]: what the product repeats. */
  readonly tile: Int32Array;
}

/** The largest integer up to which a format holds every one. */
export function wholeNumbersUpTo(dtype: DType): number {
  return 2 ** Math.min(53, dtypeInfo(dtype).precision);
}

/**
 * Draws factors for a product of [rows, inner] and [inner, columns] whose elements stay within what
 * `productDType` holds exactly: from -2 to 2 where that allows it, else from -1 to 1 and more zeros.
 *
 * @throws AssertionError when an element is too large all the same, which does not happen by chance.
 */
export function drawIntegerProduct(options: {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
  readonly productDType: DType;
  readonly seed: string;
}): IntegerProduct {
  const { rows, inner, columns, productDType, seed } = options;
  const limit = wholeNumbersUpTo(productDType);
  assert(4 * inner < 2 ** 24, "partial sums are exact in f32");
  const tileRows = Math.min(periodMax, rows);
  const tileColumns = Math.min(periodMax, columns);
  const draw = drawWithin(inner, limit);
  const rng = createRng(seed);
  const left = draw(rng.stream("dl-unit", "left").bytes(tileRows * inner));
  const right = draw(rng.stream("dl-unit", "right").bytes(inner * tileColumns));
  const tile = multiply({ left, right, tileRows, inner, tileColumns });
  for (const value of tile) {
    assert(Math.abs(value) <= limit, `${value} is a whole number that ${productDType} holds`);
  }
  return { inner, left, tileRows, right, tileColumns, tile };
}

/** Random bytes as small integers whose products, summed, stay 5 standard deviations off the limit. */
function drawWithin(inner: number, limit: number): (bytes: Uint8Array) => Int8Array {
  const sigmaMax = limit / 5.5;
  // -2 to 2 have a variance of 2, and their products one of 4.
  if (2 * Math.sqrt(inner) <= sigmaMax) {
    return (bytes) => Int8Array.from(bytes, (byte) => (byte % 5) - 2);
  }
  // The share of 1 and -1 among zeros for which a sum of products has that deviation.
  const share = Math.min(1, sigmaMax / Math.sqrt(inner));
  const cut = Math.floor(128 * share);
  return (bytes) => Int8Array.from(bytes, (byte) => (byte >> 1 >= cut ? 0 : 2 * (byte & 1) - 1));
}

/** The product in 32-bit integer arithmetic, without any floating-point number. */
function multiply({
  left,
  right,
  tileRows,
  inner,
  tileColumns,
}: Omit<IntegerProduct, "tile">): Int32Array {
  const tile = new Int32Array(tileRows * tileColumns);
  for (let i = 0; i < tileRows; i++) {
    const row = tile.subarray(i * tileColumns, (i + 1) * tileColumns);
    for (let k = 0; k < inner; k++) {
      const a = left[i * inner + k] as number;
      if (a === 0) continue;
      const from = k * tileColumns;
      for (let j = 0; j < tileColumns; j++) {
        row[j] = ((row[j] as number) + Math.imul(a, right[from + j] as number)) | 0;
      }
    }
  }
  return tile;
}

/** The tile as the elements of a product in this format. Every value is exact in it. */
export function tileTensor({ tile, tileRows, tileColumns }: IntegerProduct, dtype: DType): Tensor {
  return fromValues(tile, { dtype, shape: [tileRows, tileColumns] });
}
