import { addToLimbs, type SumLayout } from "../../fixed-point/index.ts";
import type { MatmulPlan } from "../matmul-plan.ts";
import { type Grids, gridsFor } from "./grids.ts";

/** Both factors of a product of matrices as doubles, and how they lie. */
export interface Factors {
  readonly plan: Pick<MatmulPlan, "batches" | "m" | "k" | "n">;
  readonly left: Float64Array;
  readonly right: Float64Array;
}

export interface FastFactors extends Factors {
  readonly grids: Grids;
}

/**
 * Grids for factors whose products of 24 bits each are exact in a double. Each product is cut along
 * them into parts, and the grids are such that all parts of one grid add up in a double without
 * rounding: an element is then the exact sum of three doubles. Undefined for values that no three
 * grids cover.
 */
export function fastFactors(factors: Factors): FastFactors | undefined {
  const { plan, left, right } = factors;
  if (left.length === 0 || right.length === 0) return undefined;
  const grids = gridsFor(left, right, plan.k);
  return grids === undefined ? undefined : { ...factors, grids };
}

/** An element of the product, from 0 in row-major order, as three doubles whose sum it is exactly. */
export type TakeSum = (element: number, high: number, middle: number, low: number) => void;

/** Hands over each element of the product. */
export function sumFastProducts({ plan, left, right, grids }: FastFactors, take: TakeSum): void {
  const { batches, m, k, n } = plan;
  const { coarse, middle: fine } = grids;
  const columns = new Float64Array(k * n);
  for (let batch = 0; batch < batches; batch++) {
    // Columns as rows, so that both factors are read in order.
    turnInto(columns, right.subarray(batch * k * n, (batch + 1) * k * n), n);
    for (let row = 0; row < m; row++) {
      const start = (batch * m + row) * k;
      for (let column = 0; column < n; column++) {
        let high = 0;
        let middle = 0;
        let low = 0;
        for (let i = 0; i < k; i++) {
          const product = (left[start + i] as number) * (columns[column * k + i] as number);
          // Adding and taking away a large number rounds to its last bit, which is the grid's step.
          const upper = product + coarse - coarse;
          const rest = product - upper;
          const between = rest + fine - fine;
          high += upper;
          middle += between;
          low += rest - between;
        }
        take((batch * m + row) * n + column, high, middle, low);
      }
    }
  }
}

/** Adds each element of the product to its sum. */
export function addFastProducts(
  factors: FastFactors,
  { limbs, layout }: { readonly limbs: Float64Array; readonly layout: SumLayout },
): void {
  sumFastProducts(factors, (element, high, middle, low) => {
    const base = element * layout.width;
    addToLimbs(limbs, base, layout, high);
    addToLimbs(limbs, base, layout, middle);
    addToLimbs(limbs, base, layout, low);
  });
}

function turnInto(out: Float64Array, matrix: Float64Array, n: number): void {
  const k = matrix.length / n;
  for (let i = 0; i < k; i++) {
    for (let column = 0; column < n; column++) {
      out[column * k + i] = matrix[i * n + column] as number;
    }
  }
}
