import { type DType, ops, type Tensor } from "../../tensor/index.ts";
import type { CheckVerdict } from "../calibration/index.ts";
import { type Correction, correctElement } from "./correct-element.ts";
import type { LineError } from "./line-errors.ts";
import type { MatmulCheck, MatmulChecker } from "./matmul-checker.ts";

export interface CheckedMatmulOptions {
  readonly checker: MatmulChecker;
  /** The operator's name: each learns its own threshold. @default "matmul" */
  readonly operator?: string;
  /** Of the product, which is checked before it is rounded to this. @default that of the factors */
  readonly dtype?: DType;
  /** Puts a single wrong element right. @default true */
  readonly correct?: boolean;
  /**
   * Makes the product in the format its sums are made in: f64 for f64, else f32. For another device.
   * @default `ops.matmul`
   */
  readonly multiply?: (a: Tensor, b: Tensor, dtype: DType) => Tensor;
}

export interface CheckedProduct {
  /** Corrected where `corrected` is there. */
  readonly product: Tensor;
  /** Of the product as it was made. */
  readonly verdict: CheckVerdict;
  readonly reason: string;
  readonly rows: readonly LineError[];
  readonly columns: readonly LineError[];
  readonly corrected?: Correction;
  readonly check: MatmulCheck;
}

/**
 * The product of two matrices and what a check of its row sums says of it: `inconclusive` until the
 * checker has learnt what rounding leaves in this operator.
 *
 * @throws E_SHAPE, E_DTYPE
 */
export function checkedMatmul(a: Tensor, b: Tensor, options: CheckedMatmulOptions): CheckedProduct {
  const { checker, operator = "matmul", dtype = a.dtype, correct = true } = options;
  const multiply = options.multiply ?? ((x, y, of) => ops.matmul(x, y, { dtype: of }));
  const sums = multiply(a, b, a.dtype === "f64" ? "f64" : "f32");
  const check = checker.check(a, b, sums, { operator });
  const { verdict, reason, rows, columns } = check;
  const answer = { verdict, reason, rows, columns, check };
  if (verdict !== "corrupt" || !correct) return { product: sums.to(dtype), ...answer };
  const outcome = correctElement(checker, { a, b, product: sums, check, operator });
  if ("refused" in outcome) {
    return { product: sums.to(dtype), ...answer, reason: `${reason}; ${outcome.refused}` };
  }
  return { product: outcome.product.to(dtype), ...answer, corrected: outcome.correction };
}
