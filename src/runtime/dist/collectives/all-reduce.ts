import type { Block, DistTensor } from "../array/index.ts";
import { begin } from "./call.ts";
import { requireEqualShapes } from "./equal-shapes.ts";
import { finish, localBytes } from "./finish.ts";
import type { ReductionOptions } from "./options.ts";
import { orderOf } from "./order-of-algorithm.ts";
import { placed } from "./placed.ts";
import { phaseOf, preflight } from "./preflight.ts";
import { reduceGroups, resolveReduction } from "./reduction.ts";
import { ring } from "./routes.ts";
import { algorithmOf, report } from "./timing.ts";

/**
 * Reduces what the devices of each group hold, element by element, and leaves the result on all of
 * them. Every device's own copy counts: 72 replicas of 1 give 72. Along an axis that splits the
 * tensor its parts are reduced into one.
 *
 * @throws E_COLLECTIVE when the parts differ in shape; E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function allReduce(x: DistTensor, options: ReductionOptions = {}): DistTensor {
  const call = begin("all-reduce", x, options);
  requireEqualShapes(call);
  const { slowdown } = preflight(call, [
    phaseOf(call, "reduce-scatter", ring),
    phaseOf(call, "all-gather", ring),
  ]);
  const bytes = localBytes(call, call.groups[0] ?? []);
  const reduction = resolveReduction(call, options, () =>
    orderOf(algorithmOf(call, { bytes, slowdown })),
  );
  const blocks = reduceGroups(call, reduction);
  const result = finish(call, {
    placements: placed(call, () => ({ kind: "replicate" })),
    blockOf: (rank) => blocks.get(rank) as Block,
  });
  const { dtype, shape } = call.x;
  return result(
    report(call, { bytes, dtype, shape, slowdown, reduce: reduction, notes: reduction.notes }),
  );
}
