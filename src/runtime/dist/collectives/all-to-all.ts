import type { Block, DistTensor } from "../array/index.ts";
import type { Split } from "../layout/index.ts";
import { begin, type Call } from "./call.ts";
import { resolveDim } from "./dims.ts";
import { requireEqualShapes } from "./equal-shapes.ts";
import { finish, localBytes } from "./finish.ts";
import { concatenate, gatherParts, groupFinder, splittingAxes } from "./gathering.ts";
import type { CollectiveOptions } from "./options.ts";
import { splitInnermost } from "./placed.ts";
import { phaseOf, preflight } from "./preflight.ts";
import { everyPair } from "./routes.ts";
import { partOf, splitAmong } from "./split-among.ts";
import { report } from "./timing.ts";

export interface AllToAllOptions extends CollectiveOptions {
  /** The dimension that every device cuts into one piece for each. Default: 0. */
  readonly splitDim?: number;
  /** The dimension along which a device puts what it gets together. Default: the one that is split. */
  readonly concatDim?: number;
  /** How pieces are cut. Default: ceil. */
  readonly split?: Split;
}

/**
 * Every device of a group cuts what it holds into one piece for each member, and puts the pieces
 * it gets together. From S(a) with `splitDim: b` it gives the same tensor as S(b).
 *
 * @throws E_COLLECTIVE for a dimension that is not there, and pieces that do not fit together or
 *   whose sizes no layout has (then use allToAllV); E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function allToAll(x: DistTensor, options: AllToAllOptions = {}): DistTensor {
  const call = begin("all-to-all", x, options);
  const { split = "ceil" } = options;
  const splitDim = resolveDim(call, "splitDim", options.splitDim ?? 0);
  const concatDim = resolveDim(call, "concatDim", options.concatDim ?? usualConcatDim(call));
  const plan = { splitDim, concatDim, split };
  const isMove = isMoveOfSplit(call, plan);
  if (!isMove) requireEqualShapes(call, concatDim === splitDim ? undefined : concatDim);
  const blockOf = isMove ? movedSplit(call, plan) : exchanged(call, plan);
  const { slowdown } = preflight(call, [phaseOf(call, "exchange", everyPair)]);
  const result = finish(call, {
    placements: splitInnermost(call, { dim: splitDim, split }),
    blockOf,
  });
  const bytes = localBytes(call, call.groups[0] ?? []);
  return result(report(call, { bytes, dtype: call.x.dtype, shape: call.x.shape, slowdown }));
}

interface Plan {
  readonly splitDim: number;
  readonly concatDim: number;
  readonly split: Split;
}

function usualConcatDim(call: Call): number {
  const { x, mesh, axes } = call;
  const dims = axes.flatMap((axis) => {
    const placement = x.layout.placements[mesh.axisIndex(axis)];
    return placement?.kind === "shard" ? [placement.dim] : [];
  });
  return dims[0] ?? 0;
}

/** True when all axes split `concatDim`, so that the whole stays what it is. */
function isMoveOfSplit(call: Call, { splitDim, concatDim }: Plan): boolean {
  return splitDim !== concatDim && splittingAxes(call, concatDim).length === call.axes.length;
}

function movedSplit(call: Call, { splitDim, split }: Plan): (rank: number) => Block {
  const { blockOf } = gatherParts(call, call.axes);
  return splitAmong(call, { dim: splitDim, split, blockOf });
}

function exchanged(call: Call, { splitDim, concatDim, split }: Plan): (rank: number) => Block {
  const groupOf = groupFinder(call.groups);
  return (rank) => {
    const length = call.contribution(rank).shape[splitDim] ?? 0;
    const part = { dim: splitDim, slice: partOf(call, { rank, split, length }) };
    const sent = groupOf(rank).map((member) => ({ block: call.contribution(member), part }));
    return concatenate(call, sent, concatDim);
  };
}
