import { createHash } from "node:crypto";
import type { RngStream } from "../../../platform/rng/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { bytesOf } from "../../tensor/dtype/index.ts";
import { ops, type Tensor } from "../../tensor/index.ts";
import { quantileOf } from "../calibration/running-maxima.ts";
import { planSums, sumsOf } from "../checksums/collective-sums.ts";
import { dataOf } from "../checksums/data-of.ts";
import { roundingNorms } from "../checksums/output-rounding.ts";
import {
  columnScales,
  expectedColumns,
  expectedRows,
  type Factors,
  foundColumns,
  foundRows,
  rowScales,
} from "../checksums/product-sides.ts";
import { allOnes, randomSigns } from "../checksums/signs.ts";
import { rowNorms } from "../checksums/sums.ts";
import type { Cost } from "./types.ts";

interface Measured {
  readonly a: Tensor;
  readonly b: Tensor;
}

/** Times each detector beside the product that it protects, in turns, on this machine's processors. */
export function measureCosts(
  given: Measured,
  {
    clock,
    stream,
    turns,
  }: { readonly clock: Clock; readonly stream: RngStream; readonly turns: number },
): readonly Cost[] {
  const work = workOf(given, stream);
  const took = new Map<string, number[]>(Object.keys(work).map((name) => [name, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, run] of Object.entries(work)) {
      const startMs = clock.monotonicMs();
      run();
      took.get(name)?.push(clock.monotonicMs() - startMs);
    }
  }
  const medianOf = (name: string) => quantileOf(took.get(name) ?? [], 0.5);
  const productMs = medianOf("product");
  const [m = 0, k = 0] = given.a.shape;
  return Object.keys(work)
    .filter((name) => name !== "product")
    .map((name) => ({
      detector: name,
      percent: (100 * medianOf(name)) / productMs,
      of: `a product of ${m} x ${k} x ${given.b.shape[1] ?? 0}`,
    }));
}

/** The product, and all that each detector does for it. */
function workOf({ a, b }: Measured, stream: RngStream): Readonly<Record<string, () => void>> {
  const [m = 0, k = 0] = a.shape;
  const n = b.shape[1] ?? 0;
  // A check is given tensors: reading them is a part of its cost.
  const read = (): Factors => ({ m, k, n, a: dataOf(a), b: dataOf(b) });
  const product = ops.matmul(a, b, { dtype: "f32" });
  const c = dataOf(product) as Float32Array;
  const rows = (factors: Factors, weights: Float64Array) => {
    foundRows(factors, c, weights);
    expectedRows(factors, weights);
  };
  const plan = planSums(product.size, stream);
  const bytes = bytesOf(product.toRaw());
  const sums = (...all: readonly Float64Array[]) => {
    const factors = read();
    rowScales(factors);
    for (const weights of all) rows(factors, weights);
    return factors;
  };
  return {
    product: () => void ops.matmul(a, b, { dtype: "f32" }),
    ones: () => void sums(allOnes(n)),
    "signs-1": () => void sums(randomSigns(n, stream)),
    "signs-2": () => void sums(randomSigns(n, stream), randomSigns(n, stream)),
    "rows-columns": () => {
      const factors = sums(randomSigns(n, stream));
      columnScales(factors);
      const l = randomSigns(m, stream);
      foundColumns(factors, c, l);
      expectedColumns(factors, l);
    },
    rounded: () => {
      roundingNorms(c, { rows: m, columns: n }, "bf16");
      rows(read(), randomSigns(n, stream));
    },
    twice: () => {
      const again = ops.matmul(a, b, { dtype: "f32" });
      Buffer.compare(bytes, bytesOf(again.toRaw()));
    },
    watch: () => void rowNorms(c, { rows: m, columns: n }),
    "linear + hash": () => void sumsOf(0, product, plan),
    scrub: () => void createHash("sha256").update(bytes).digest(),
  };
}
