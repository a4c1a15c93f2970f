import { allocateRaw } from "../../tensor/dtype/index.ts";
import { ops, Tensor } from "../../tensor/index.ts";
import type { MatmulCheck, MatmulChecker } from "./matmul-checker.ts";

/** A wrong element of a product that was put right. */
export interface Correction {
  readonly row: number;
  readonly column: number;
  readonly was: number;
  readonly is: number;
}

export type CorrectionOutcome =
  | { readonly product: Tensor; readonly correction: Correction }
  | { readonly refused: string };

/**
 * Puts a single wrong element right: where exactly one row and one column are wrong, the element is
 * made anew, must lie where the sums say it does, and the whole is checked again with other signs.
 * Refused when more than one is wrong.
 */
export function correctElement(
  checker: MatmulChecker,
  given: {
    readonly a: Tensor;
    readonly b: Tensor;
    readonly product: Tensor;
    readonly check: MatmulCheck;
    readonly operator?: string;
  },
): CorrectionOutcome {
  const { a, b, product, check, operator } = given;
  const [row, column] = [check.rows[0], check.columns[0]];
  if (check.rows.length !== 1 || check.columns.length !== 1 || !row || !column) {
    const found = `${check.rows.length} rows and ${check.columns.length} columns are wrong`;
    return { refused: `${found}, and only a single element can be put right` };
  }
  const n = b.shape[1] as number;
  const dtype = product.dtype;
  const line = a
    .reshape([-1, b.shape[0] as number])
    .slice([{ start: row.index, stop: row.index + 1 }]);
  const across = b.slice([null, { start: column.index, stop: column.index + 1 }]);
  const is = ops.matmul(line, across, { dtype }).item();
  const at = row.index * n + column.index;
  const was = product.reshape([-1]).at(at);
  // An error of many powers of ten leaves no digits of the rest in the sum: then only the new check tells.
  const explained = Math.abs(was - is) - Math.abs(row.residual);
  const noise = row.threshold + Math.abs(row.residual) * 2 ** -40;
  if (Number.isFinite(row.residual) && !(Math.abs(explained) <= noise)) {
    return { refused: "the element made anew does not account for the error of its row" };
  }
  const mended = withElement(product, at, line, across);
  const again = checker.check(a, b, mended, {
    columns: true,
    ...(operator === undefined ? {} : { operator }),
  });
  if (again.verdict !== "clean")
    return { refused: `checked again it is ${again.verdict}: ${again.reason}` };
  return { product: mended, correction: { row: row.index, column: column.index, was, is } };
}

function withElement(product: Tensor, at: number, line: Tensor, across: Tensor): Tensor {
  const { dtype, shape, size } = product;
  const raw = allocateRaw(dtype, size);
  product.copyTo(raw, { start: 0, count: size });
  // Bits, not the number: the element is to have those that the product has without the error.
  ops.matmul(line, across, { dtype }).copyTo(raw, { start: 0, count: 1, outStart: at });
  return Tensor.over(raw, { dtype, shape });
}
