import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { identityOf } from "../array/block.ts";
import type { Block, DistTensor } from "../array/index.ts";
import { begin, type Call } from "./call.ts";
import { resolveDim } from "./dims.ts";
import { requireEqualShapes } from "./equal-shapes.ts";
import { finish } from "./finish.ts";
import {
  concatenate,
  type Gathered,
  gatherParts,
  groupFinder,
  splittingAxes,
} from "./gathering.ts";
import type { CollectiveOptions } from "./options.ts";
import { placed } from "./placed.ts";
import { phaseOf, preflight } from "./preflight.ts";
import { ring } from "./routes.ts";
import { report } from "./timing.ts";

export interface AllGatherOptions extends CollectiveOptions {
  /**
   * The dimension along which what the devices hold is put together. Default: whatever the axes
   * split; where they split nothing, 0.
   */
  readonly dim?: number;
}

/**
 * Leaves every device of a group with what all of them hold. Along axes that split the tensor this
 * is the tensor with its parts at their places, of whatever sizes; along others, or another
 * dimension, everybody's data one after the other, replicas too. Nothing is copied before it is
 * read.
 *
 * @throws E_COLLECTIVE for a dimension that is not there, and parts that do not fit together;
 *   E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function allGather(x: DistTensor, options: AllGatherOptions = {}): DistTensor {
  const call = begin("all-gather", x, options);
  const gathered = gatheredBy(call, options.dim);
  const { slowdown } = preflight(call, [phaseOf(call, "all-gather", ring)]);
  const result = finish(call, gathered);
  const bytes = gatheredBytes(call, gathered);
  return result(report(call, { bytes, dtype: call.x.dtype, shape: call.x.shape, slowdown }));
}

/** What each rank of a group has once everything is gathered. @throws E_COLLECTIVE */
export function gatheredBy(call: Call, given: number | undefined): Gathered {
  const dim = given === undefined ? undefined : resolveDim(call, "dim", given);
  const along = splittingAxes(call, dim);
  if (along.length > 0 && splittingAxes(call).length === along.length) {
    return gatherParts(call, along);
  }
  const joint = resolveDim(call, "dim", dim ?? 0);
  requireEqualShapes(call, joint);
  const groupOf = groupFinder(call.groups);
  const known = new Map<string, Block>();
  return {
    placements: placed(call, () => ({ kind: "replicate" })),
    blockOf: (rank) => {
      const blocks = groupOf(rank).map(call.contribution);
      const key = identityOf(blocks);
      const all = blocks.map((block) => ({ block }));
      const block = known.get(key) ?? concatenate(call, all, joint);
      known.set(key, block);
      return block;
    },
  };
}

/** S of nccl-tests: everything that one device ends with. */
export function gatheredBytes({ x, groups }: Call, { blockOf }: Gathered): number {
  const [rank = 0] = groups[0] ?? [];
  return dtypeInfo(x.dtype).bytes * blockOf(rank).size;
}
