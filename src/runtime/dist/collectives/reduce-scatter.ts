import type { Block, DistTensor } from "../array/index.ts";
import type { Split } from "../layout/index.ts";
import { begin } from "./call.ts";
import { resolveDim } from "./dims.ts";
import { requireEqualShapes } from "./equal-shapes.ts";
import { finish, localBytes } from "./finish.ts";
import type { ReductionOptions } from "./options.ts";
import { orderOf } from "./order-of-algorithm.ts";
import { splitInnermost } from "./placed.ts";
import { phaseOf, preflight } from "./preflight.ts";
import { reduceGroups, resolveReduction } from "./reduction.ts";
import { ring } from "./routes.ts";
import { splitAmong } from "./split-among.ts";
import { algorithmOf, report } from "./timing.ts";

export interface ReduceScatterOptions extends ReductionOptions {
  /** The dimension that the result is split along. Default: 0. */
  readonly dim?: number;
  /** How it is split; parts may be uneven or empty. Default: ceil. */
  readonly split?: Split;
}

/**
 * Reduces what the devices of each group hold, element by element, and leaves each with its part of
 * the result.
 *
 * @throws E_COLLECTIVE for a dimension that is not there and parts that differ in shape; E_DESYNC,
 *   E_DEVICE_LOST, E_PARTITION.
 */
export function reduceScatter(x: DistTensor, options: ReduceScatterOptions = {}): DistTensor {
  const call = begin("reduce-scatter", x, options);
  const { split = "ceil" } = options;
  const dim = resolveDim(call, "dim", options.dim ?? 0);
  requireEqualShapes(call);
  const { slowdown } = preflight(call, [phaseOf(call, "reduce-scatter", ring)]);
  const bytes = localBytes(call, call.groups[0] ?? []);
  const reduction = resolveReduction(call, options, () =>
    orderOf(algorithmOf(call, { bytes, slowdown })),
  );
  const reduced = reduceGroups(call, reduction);
  const parts = splitAmong(call, { dim, split, blockOf: (rank) => reduced.get(rank) as Block });
  const result = finish(call, { placements: splitInnermost(call, { dim, split }), blockOf: parts });
  const { dtype, shape } = call.x;
  const { notes } = reduction;
  return result(report(call, { bytes, dtype, shape, slowdown, reduce: reduction, notes }));
}
