import { type DType, decodeInto, type RawArray } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { limbLayoutOf } from "../../tensor/ops/exact/limb-layout.ts";
import { addToLimbs } from "../../tensor/ops/exact/limbs.ts";
import { matmulExact } from "../../tensor/ops/index.ts";
import { type MatmulPlan, planMatmul } from "../../tensor/ops/matmul-plan.ts";
import { type Grids, gridsFor } from "./grids.ts";
import { encoded, type OpenSum, openSumOf, roundAt, roundOpen } from "./open-sum.ts";

/**
 * The exact product of matrices, as `matmulExact` gives it, several times faster for values that are
 * not too far apart. Products of floats of 24 bits are exact in a double. Each is cut along fixed
 * grids into parts, and the grids are such that all parts of one grid add up in a double without
 * rounding: an element is then the exact sum of three doubles. Values that no three grids cover go
 * the slow way.
 */
export function exactProduct(a: Tensor, b: Tensor): OpenSum {
  const factors = factorsOf(a, b);
  if (factors === undefined) return openSumOf(matmulExact(a, b));
  const { dtype } = a;
  const { shape } = factors.plan;
  const layout = limbLayoutOf(dtype);
  const limbs = new Float64Array(sizeOf(factors.plan) * layout.width);
  sumProducts(factors, (element, high, middle, low) => {
    const at = element * layout.width;
    addToLimbs(limbs, at, layout, high);
    addToLimbs(limbs, at, layout, middle);
    addToLimbs(limbs, at, layout, low);
  });
  return {
    dtype,
    shape,
    limbs: Tensor.over(limbs, { dtype: "f64", shape: [...shape, layout.width] }),
  };
}

/** The exact product rounded once, where nothing is to be added to it. */
export function roundedProduct(a: Tensor, b: Tensor): Tensor {
  const { dtype } = a;
  const factors = factorsOf(a, b);
  if (factors === undefined) return roundOpen(openSumOf(matmulExact(a, b)), dtype);
  const layout = limbLayoutOf(dtype);
  const values = new Float64Array(sizeOf(factors.plan));
  const limbs = new Float64Array(layout.width);
  sumProducts(factors, (element, high, middle, low) => {
    limbs.fill(0);
    addToLimbs(limbs, 0, layout, high);
    addToLimbs(limbs, 0, layout, middle);
    addToLimbs(limbs, 0, layout, low);
    values[element] = roundAt(limbs, 0, layout, dtype);
  });
  return encoded(values, { dtype, shape: factors.plan.shape });
}

interface Factors {
  readonly plan: MatmulPlan;
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly grids: Grids;
}

/** Undefined for what has to go the slow way. */
function factorsOf(a: Tensor, b: Tensor): Factors | undefined {
  if (a.dtype === "f64" || a.dtype !== b.dtype || a.size === 0 || b.size === 0) return undefined;
  const plan = planMatmul("matmul", a, b);
  const left = numbersOf(plan.a, a.dtype);
  const right = numbersOf(plan.b, a.dtype);
  const grids = gridsFor(left, right, plan.k);
  return grids === undefined ? undefined : { plan, left, right, grids };
}

type TakeSum = (element: number, high: number, middle: number, low: number) => void;

/** Hands over each element of the product as three doubles. */
function sumProducts({ plan, left, right, grids }: Factors, take: TakeSum): void {
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

function turnInto(out: Float64Array, matrix: Float64Array, n: number): void {
  const k = matrix.length / n;
  for (let i = 0; i < k; i++) {
    for (let column = 0; column < n; column++) {
      out[column * k + i] = matrix[i * n + column] as number;
    }
  }
}

function sizeOf({ batches, m, n }: MatmulPlan): number {
  return batches * m * n;
}

function numbersOf(raw: RawArray, dtype: DType): Float64Array {
  const values = new Float64Array(raw.length);
  decodeInto(dtype, raw, 0, raw.length, values);
  return values;
}
