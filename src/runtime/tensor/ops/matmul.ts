import { allocateRaw, type DType, type RawArray } from "../dtype/index.ts";
import { matmulF32 } from "../kernels/index.ts";
import { Tensor } from "../tensor.ts";
import { asMatrix } from "./as-matrix.ts";
import { sumToShape } from "./broadcast.ts";
import { matmulRounded } from "./exact/matmul-exact.ts";
import { type MatmulPlan, planMatmul } from "./matmul-plan.ts";
import { multiplyF64, type ProductPlace } from "./multiply-f64.ts";
import { tensorOf } from "./operands.ts";

/** How products are summed. */
export type Accumulate = "chain" | "exact";

export interface MatmulOptions {
  /**
   * `chain` (default): out = (((0 + a0 b0) + a1 b1) + ...) over k ascending, every product and every
   * sum rounded, to f64 for f64 and to f32 for all other dtypes, without fused steps. `exact`: the
   * correctly rounded sum of the exact products; slow, and the same bits however k is split (see
   * `matmulExact`).
   */
  readonly accumulate?: Accumulate;
  /** Of the result, which is rounded to it once more after the chain. Default that of the operands. */
  readonly dtype?: DType;
}

/**
 * The product of matrices, [..., m, k] by [..., k, n], leading dimensions growing to each other.
 * Each element depends on its own row of `a` and column of `b` alone: neither the other rows of a
 * batch nor columns on other devices can change its bits, so a product that is split over m or n
 * has the bits of the whole. An overflow in a chain is Inf from there on, Inf - Inf and 0 times Inf
 * are NaN, a sum of zero is +0. Throws E_SHAPE when shapes do not go together, E_DTYPE when the
 * dtypes differ or are integers.
 */
export function matmul(a: Tensor, b: Tensor, options: MatmulOptions = {}): Tensor {
  const { accumulate = "chain", dtype = a.dtype } = options;
  if (accumulate === "exact") return matmulRounded(a, b, dtype);
  const plan = planMatmul("matmul", a, b);
  return a.dtype === "f64" ? productF64(plan, dtype) : productF32(plan, a.dtype, dtype);
}

/** The gradients of both factors of a `matmul` that had `a` and `b`. */
export interface MatmulGradients {
  readonly a: Tensor;
  readonly b: Tensor;
}

/**
 * The gradients of `matmul`: dA = dY Bᵀ, summed over n ascending, and dB = Aᵀ dY, summed over the
 * rows of `a` ascending, those of all batches in row-major order where `b` has no batches of its
 * own. Both as `matmul` sums with the same options. Where leading dimensions of one side were
 * repeated, its gradient is then summed over them, as `sum` does.
 */
export function matmulBackward(
  gradient: Tensor,
  [a, b]: readonly [Tensor, Tensor],
  { accumulate = "chain" }: { readonly accumulate?: Accumulate } = {},
): MatmulGradients {
  const shared = b.shape.length === 2;
  const dy = shared ? asMatrix(gradient) : gradient;
  const x = shared ? asMatrix(a) : a;
  return {
    a: sumToShape(matmul(gradient, b.transpose(), { accumulate }), a.shape),
    b: sumToShape(matmul(x.transpose(), dy, { accumulate }), b.shape),
  };
}

function productF64(plan: MatmulPlan, dtype: DType): Tensor {
  const a = plan.a as Float64Array;
  const b = plan.b as Float64Array;
  const out = new Float64Array(plan.batches * plan.m * plan.n);
  for (const product of products(plan)) multiplyF64({ ...product, a, b, out });
  return tensorOf(out, { dtype, shape: plan.shape });
}

function productF32(plan: MatmulPlan, from: DType, to: DType): Tensor {
  const a = asF32(plan.a, from);
  const b = asF32(plan.b, from);
  const out = allocateRaw("f32", plan.batches * plan.m * plan.n) as Float32Array;
  for (const product of products(plan)) matmulF32({ ...product, a, b, out });
  return Tensor.over(out, { dtype: "f32", shape: plan.shape }).to(to);
}

/** Where each product of the batch lies. */
function products({ batches, m, k, n }: MatmulPlan): ProductPlace[] {
  return Array.from({ length: batches }, (_, i) => ({
    aStart: i * m * k,
    bStart: i * k * n,
    outStart: i * m * n,
    m,
    k,
    n,
  }));
}

/** The same values; those of the shorter formats all are f32 values too. */
function asF32(raw: RawArray, dtype: DType): Float32Array {
  const values = Tensor.over(raw, { dtype, shape: [raw.length] }).to("f32");
  return values.toRaw() as Float32Array;
}
