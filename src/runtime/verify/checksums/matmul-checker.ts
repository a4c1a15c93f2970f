import assert from "node:assert/strict";
import type { Rng } from "../../../platform/rng/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import { formatShape, shapeError } from "../../tensor/shape.ts";
import { type Calibrations, createCalibrations } from "../calibration/calibrations.ts";
import { type CalibrationOptions, type CheckVerdict, profileOf } from "../calibration/index.ts";
import { checkAccumulator, columnsOf } from "./check-accumulator.ts";
import { checkRounded } from "./check-rounded.ts";
import { dataOf } from "./data-of.ts";
import type { LineError } from "./line-errors.ts";
import { zForRows } from "./output-rounding.ts";
import type { Factors } from "./product-sides.ts";

export interface MatmulCheckerOptions {
  /** Of the signs; each check draws new ones. */
  readonly rng: Rng;
  /** Independent sets of signs for each check: errors that cancel pass with a chance of 2^-trials. @default 1 */
  readonly trials?: number;
  /** `ones` is the plain sum, blind to errors that cancel. For comparison. @default "signs" */
  readonly weights?: "signs" | "ones";
  /** How thresholds are learnt, one for each operator. */
  readonly calibration?: CalibrationOptions;
  /** Standard deviations for products in bf16 and f16. @default for at most one false alarm in 10^9 rows */
  readonly z?: number;
}

export interface CheckOptions {
  /** The operator's name: each learns its own threshold. @default "matmul" */
  readonly operator?: string;
  /** Checks the columns too, at twice the cost; else only to locate what the rows show. @default false */
  readonly columns?: boolean;
}

export interface MatmulCheck {
  readonly verdict: CheckVerdict;
  readonly reason: string;
  /** Wrong rows and columns, the first 1024 of each. Unless asked for, columns only where a row is wrong. */
  readonly rows: readonly LineError[];
  readonly columns: readonly LineError[];
  /** The largest error of a row, in units of the row's scale. */
  readonly ratio: number;
  /** The threshold of it; undefined while it is learnt. */
  readonly kappa: number | undefined;
  /** The largest error of a column, where these were looked at. */
  readonly columnRatio?: number;
  /** The threshold that it was held against; undefined where it is not a learnt one. */
  readonly calibration: string | undefined;
}

/** Checks products by sums of their rows; see `createMatmulChecker`. */
export interface MatmulChecker {
  /** @throws E_SHAPE when these are not two matrices and their product */
  check(a: Tensor, b: Tensor, product: Tensor, options?: CheckOptions): MatmulCheck;
  /**
   * Says that a product called corrupt was right after all: the thresholds of its operator rise.
   * False where there is none that could: a rounded product's follows from its numbers, and what is
   * not finite stays wrong.
   */
  accept(check: MatmulCheck): boolean;
  readonly calibrations: Calibrations;
}

const trialsMax = 16;

/**
 * Checks C = A B by C r = A (B r) with random signs r (Freivalds), in f64, at the cost of three
 * products by a vector. From an f32 or f64 product, which is what the sums of products are, errors
 * little above the rounding of the sums are seen, once the threshold is learnt from the operator's
 * own traffic; from a product rounded to bf16 or f16 only large ones, but at once.
 */
export function createMatmulChecker(options: MatmulCheckerOptions): MatmulChecker {
  const { rng, trials = 1, weights = "signs", z = zForRows(1e9) } = options;
  assert(Number.isInteger(trials) && trials >= 1 && trials <= trialsMax, "1 to 16 trials");
  const calibrations = createCalibrations(options.calibration);
  const stream = rng.stream("matmul-check");
  const settings = { stream, trials, weights, calibrations, z };
  return {
    calibrations,
    check: (a, b, product, { operator = "matmul", columns = false } = {}) => {
      const factors = factorsOf(a, b, product);
      const c = dataOf(product);
      if (product.dtype === "f32" || product.dtype === "f64") {
        const profiles = [profileOf(factors.a), profileOf(factors.b)];
        const name = keyOf(operator, factors, product);
        return checkAccumulator(
          { factors, c, dtype: product.dtype, profiles, name, columns },
          settings,
        );
      }
      if (product.dtype === "bf16" || product.dtype === "f16") {
        const rounded = { factors, c: c as Float32Array, dtype: product.dtype };
        return checkRounded(rounded, settings);
      }
      const reason = `nobody knows what rounding leaves in a product in ${product.dtype}`;
      return { verdict: "inconclusive", reason, ...nothing };
    },
    accept: ({ calibration, ratio, columnRatio = 0 }) => {
      if (calibration === undefined || !Number.isFinite(ratio + columnRatio)) return false;
      calibrations.of(calibration).accept(ratio);
      if (columnRatio > 0) calibrations.of(columnsOf(calibration)).accept(columnRatio);
      return true;
    },
  };
}

const nothing = {
  rows: [],
  columns: [],
  ratio: Number.NaN,
  kappa: undefined,
  calibration: undefined,
} as const;

function keyOf(
  operator: string,
  { k, n }: Pick<Factors, "k" | "n">,
  { dtype }: Pick<Tensor, "dtype">,
): string {
  return JSON.stringify([operator, k, n, dtype]);
}

function factorsOf(a: Tensor, b: Tensor, product: Tensor): Factors {
  const [k, n] = b.shape;
  const rows = a.shape.slice(0, -1);
  const fits =
    b.shape.length === 2 &&
    a.shape.length >= 2 &&
    a.shape.at(-1) === k &&
    product.shape.join() === [...rows, n].join();
  if (!fits || k === undefined || n === undefined) {
    const given = [a, b, product].map(({ shape }) => formatShape(shape)).join(", ");
    throw shapeError("check", `${given} are not [..., m, k], [k, n] and their product`);
  }
  return { m: product.size / Math.max(1, n), k, n, a: dataOf(a), b: dataOf(b) };
}
