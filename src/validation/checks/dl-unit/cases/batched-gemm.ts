import type { EngineTensor } from "../engine/engine.ts";
import { leftFactor, rightFactor } from "../verify/expand.ts";
import { drawIntegerProduct } from "../verify/integer-product.ts";
import { type Bench, type DlCase, type PlanRequest, scaled, sizeOf } from "./case.ts";
import { checkExactProduct } from "./check-exact.ts";
import { defineCase } from "./define-case.ts";
import { rateOf } from "./rate.ts";
import type { Computation } from "./run-compute.ts";

/** So many products of [m, k] and [k, n]. */
interface BatchedSize {
  readonly batch: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

type BatchedFormat = "bf16" | "f16";

const onGpu: BatchedSize = { batch: 128, m: 2048, k: 128, n: 2048 };

/** Many products at once with a short inner length, as the heads of an attention have them. */
export const batchedCases: readonly DlCase[] = (["bf16", "f16"] as const).map((format) =>
  defineCase<BatchedSize>({
    name: `gemm-batched-${format}`,
    title: `Many matrix products at once in ${format}`,
    styles: ["exact", "repeat"],
    size,
    describe: ({ batch, m, k, n }) => `${batch}x(${m}x${k}x${n})`,
    iterations: { cuda: 30, cpu: 5 },
    prepare: (bench, of) => prepare(bench, format, of),
  }),
);

function size(request: PlanRequest): BatchedSize {
  const { scale } = request;
  const { batch, m, k, n } = sizeOf(
    {
      cuda: { quick: onGpu, standard: onGpu },
      cpu: {
        quick: { batch: 8, m: 64, k: 32, n: 64 },
        standard: { batch: 16, m: 128, k: 64, n: 128 },
      },
    },
    request,
  );
  return {
    batch: Math.max(2, Math.round(batch * scale)),
    m: scaled(m, scale),
    k: scaled(k, scale),
    n: scaled(n, scale),
  };
}

/**
 * The left factors are the rows of one tall matrix, which repeats itself after a prime number of rows:
 * no two neighbours have the same. The right factors are alike, each in its own place.
 */
function prepare<T extends EngineTensor>(
  { engine, seed }: Bench<T>,
  format: BatchedFormat,
  { batch, m, k, n }: BatchedSize,
): Computation<T> {
  const rows = batch * m;
  const shape = { rows, inner: k, columns: n };
  const golden = drawIntegerProduct({
    ...shape,
    productDType: format,
    seed: `${seed}/batched ${format}`,
  });
  const left = engine.upload(leftFactor(golden, rows, format).reshape([batch, m, k]));
  const right = engine.upload(
    rightFactor(golden, n, format).reshape([1, k, n]).expand([batch, k, n]).contiguous(),
  );
  const { name, unit, perUnit } = rateOf(engine.name);
  return {
    compute: (of) => ({ exact: of.reshape(of.matmul(left, right, { dtype: format }), [rows, n]) }),
    verify: ({ exact: output }) =>
      checkExactProduct(engine, { output, golden, product: format, seed }),
    figure: {
      name: `gemm_batched_${format}_${name}`,
      unit,
      higherIsBetter: true,
      fromMs: (timeMs) => (2 * rows * k * n) / (timeMs / 1000) / perUnit,
    },
  };
}
