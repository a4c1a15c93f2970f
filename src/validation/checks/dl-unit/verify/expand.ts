import { allocateRaw, type DType } from "../../../../runtime/tensor/dtype/index.ts";
import { fromValues, Tensor } from "../../../../runtime/tensor/index.ts";
import type { IntegerProduct } from "./integer-product.ts";

/** The left factor [rows, inner]: its first rows again and again. */
export function leftFactor(product: IntegerProduct, rows: number, dtype: DType): Tensor {
  const { left, inner, tileRows } = product;
  const table = fromValues(left, { dtype, shape: [tileRows, inner] }).toRaw();
  const out = allocateRaw(dtype, rows * inner);
  for (let row = 0; row < rows; row += tileRows) {
    const count = Math.min(tileRows, rows - row) * inner;
    out.set(table.subarray(0, count), row * inner);
  }
  return Tensor.over(out, { dtype, shape: [rows, inner] });
}

/** The right factor [inner, columns]: its first columns again and again. */
export function rightFactor(product: IntegerProduct, columns: number, dtype: DType): Tensor {
  const { right, inner, tileColumns } = product;
  const table = fromValues(right, { dtype, shape: [inner, tileColumns] }).toRaw();
  const out = allocateRaw(dtype, inner * columns);
  for (let row = 0; row < inner; row++) {
    const start = row * columns;
    const first = row * tileColumns;
    out.set(table.subarray(first, first + Math.min(tileColumns, columns)), start);
    // What is there already is doubled until the row is full; a whole number of tiles each time.
    for (let done = tileColumns; done < columns; done *= 2) {
      out.copyWithin(start + done, start, start + Math.min(done, columns - done));
    }
  }
  return Tensor.over(out, { dtype, shape: [inner, columns] });
}
