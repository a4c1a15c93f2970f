import { dtypeInfo } from "../dtype/index.ts";
import { isAliased, reduceAliased } from "./aliased.ts";
import { isNarrowFloat } from "./exact/certificate.ts";
import { sumExactly } from "./exact/summer.ts";
import { foldBits } from "./fold/fold-bits.ts";
import { foldNumbers } from "./fold/fold-numbers.ts";
import { type FoldOrder, foldSegments } from "./fold/order.ts";
import { type ResolvedRequest, resolveRequest } from "./request.ts";
import type { ReduceRequest, ReduceStats } from "./types.ts";
import { sumDoublesOnThreads } from "./wasm/double-on-threads.ts";
import { foldKernelOf, foldOnThreads } from "./wasm/fold-on-threads.ts";
import type { ThreadedOutcome } from "./wasm/outcome.ts";
import { sumOnThreads } from "./wasm/sum-on-threads.ts";

/**
 * Reduces the sources, element by element, into `out`.
 *
 * Sums of floats in the order `exact` (the default) are the exact sum rounded once to the dtype, to
 * nearest with ties to even; averages are the exact quotient rounded once. NaN and Inf - Inf give the
 * one quiet NaN of the dtype, a sum that is exactly zero is +0 unless every source has -0. The other
 * orders round after every step, like hardware does.
 *
 * Whatever the order: `min` and `max` give NaN when a source has one and put -0 below +0; sums and
 * products of integers wrap around, and their average is the exact one, rounded to even; bit
 * operations work on the stored bits. The product of floats in the order `exact` is taken in f64
 * along the tree of neighbours over all sources in rank order, groups or not, and rounded once more
 * to the dtype at the end: one fixed order, but no exact product.
 */
export function reduceInto(request: ReduceRequest): ReduceStats {
  const resolved = resolveRequest(request);
  const { count } = resolved;
  if (isAliased(resolved)) {
    reduceAliased(resolved);
    return { elements: count, certified: count, accumulated: 0, threads: 1, aliased: true };
  }
  const { accumulated, threads } = isExactSum(resolved) ? sum(resolved) : fold(resolved);
  return { elements: count, certified: count - accumulated, accumulated, threads, aliased: false };
}

function isExactSum({ op, order, dtype }: ResolvedRequest): boolean {
  return (op === "sum" || op === "avg") && order === "exact" && dtypeInfo(dtype).kind === "float";
}

function sum(request: ResolvedRequest): ThreadedOutcome {
  const { dtype, engine } = request;
  if (engine === "wasm") {
    return isNarrowFloat(dtype)
      ? sumOnThreads({ ...request, dtype })
      : sumDoublesOnThreads(request);
  }
  return { accumulated: sumExactly(request), threads: 1 };
}

/** Everything that is combined two at a time. */
function fold(request: ResolvedRequest): ThreadedOutcome {
  const { op, dtype, engine, count } = request;
  const segments = foldSegments({ count, ...foldShape(request) });
  const kernel = engine === "wasm" ? foldKernelOf(request, segments) : undefined;
  if (kernel !== undefined) {
    return { accumulated: 0, threads: foldOnThreads({ request, segments, kernel }) };
  }
  if (op === "band" || op === "bor" || op === "bxor") {
    foldBits({ ...request, op });
  } else {
    // The sum that an average of integers comes from must not wrap around.
    const isWide = op === "avg" && dtypeInfo(dtype).kind === "integer";
    foldNumbers({ ...request, op, segments, ...(isWide ? { carrier: "f64" as const } : {}) });
  }
  return { accumulated: 0, threads: 1 };
}

/** Where no order changes the result, the plain one; for an exact product, the fixed one. */
function foldShape({ op, order, sources, groups }: ResolvedRequest): {
  readonly order: FoldOrder;
  readonly groups: readonly (readonly number[])[];
} {
  if (order !== "exact") return { order, groups };
  if (op === "prod") return { order: "tree", groups: [sources.map((_, index) => index)] };
  return { order: "rank", groups };
}
