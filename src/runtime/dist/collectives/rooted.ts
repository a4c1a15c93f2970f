import type { Block, DistTensor } from "../array/index.ts";
import { ranksIn } from "../array/restrict.ts";
import type { Placement, Split } from "../layout/index.ts";
import { gatheredBy, gatheredBytes } from "./all-gather.ts";
import { begin, type Call } from "./call.ts";
import { resolveDim } from "./dims.ts";
import { requireEqualShapes } from "./equal-shapes.ts";
import { finish, localBytes, type Result } from "./finish.ts";
import type { CollectiveOptions, ReductionOptions } from "./options.ts";
import { orderOf } from "./order-of-algorithm.ts";
import { placed, splitInnermost } from "./placed.ts";
import { phaseOf, preflight } from "./preflight.ts";
import { reduceGroups, resolveReduction } from "./reduction.ts";
import { meshOfRoots, type Root, resolveRoot } from "./root.ts";
import { chainFrom, chainTo, star } from "./routes.ts";
import { splitAmong } from "./split-among.ts";
import { algorithmOf, report } from "./timing.ts";

/** Collectives with one device in each group that sends or gets everything. */
export interface RootOptions {
  /** The position of the root in its group. Default: 0. */
  readonly root?: number;
}

export interface BroadcastOptions extends CollectiveOptions, RootOptions {}
export interface ReduceOptions extends ReductionOptions, RootOptions {}

export interface GatherOptions extends CollectiveOptions, RootOptions {
  /** As in allGather. */
  readonly dim?: number;
}

export interface ScatterOptions extends CollectiveOptions, RootOptions {
  /** The dimension that the root's data is split along. Default: 0. */
  readonly dim?: number;
  /** Default: ceil. */
  readonly split?: Split;
}

/**
 * Leaves every device of a group with what its root holds.
 *
 * @throws E_COLLECTIVE for a root that is not there; E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function broadcast(x: DistTensor, options: BroadcastOptions = {}): DistTensor {
  const call = begin("broadcast", x, options);
  const root = resolveRoot(call, options.root);
  const way = (group: readonly number[]) => chainFrom(group, root.position);
  const { slowdown } = preflight(call, [phaseOf(call, "broadcast", way)]);
  const result = finish(call, {
    placements: placed(call, () => ({ kind: "replicate" })),
    blockOf: (rank) => call.contribution(root.rankFor(rank)),
  });
  const { dtype, shape } = call.x;
  const bytes = localBytes(call, [root.rankFor(0)]);
  return result(report(call, { bytes, dtype, shape, slowdown }));
}

/**
 * Reduces as allReduce does, but only the root of each group gets the result, which so lies on the
 * sub-mesh of the roots.
 *
 * @throws E_COLLECTIVE for a root that is not there and parts that differ in shape; E_DESYNC,
 *   E_DEVICE_LOST, E_PARTITION.
 */
export function reduce(x: DistTensor, options: ReduceOptions = {}): DistTensor {
  const call = begin("reduce", x, options);
  const root = resolveRoot(call, options.root);
  requireEqualShapes(call);
  const way = (group: readonly number[]) => chainTo(group, root.position);
  const { slowdown } = preflight(call, [phaseOf(call, "reduce", way)]);
  const bytes = localBytes(call, call.groups[0] ?? []);
  const reduction = resolveReduction(call, options, () =>
    orderOf(algorithmOf(call, { bytes, slowdown })),
  );
  const blocks = reduceGroups(call, reduction);
  const result = onRoots(call, root, {
    placements: placed(call, () => ({ kind: "replicate" })),
    blockOf: (rank) => blocks.get(rank) as Block,
  });
  const { dtype, shape } = call.x;
  const { notes } = reduction;
  return result(report(call, { bytes, dtype, shape, slowdown, reduce: reduction, notes }));
}

/**
 * Gathers as allGather does, but only the root of each group gets everything: the result lies on
 * the sub-mesh of the roots.
 *
 * @throws E_COLLECTIVE as allGather, and for a root that is not there; E_DESYNC, E_DEVICE_LOST,
 *   E_PARTITION.
 */
export function gather(x: DistTensor, options: GatherOptions = {}): DistTensor {
  const call = begin("gather", x, options);
  const root = resolveRoot(call, options.root);
  const gathered = gatheredBy(call, options.dim);
  const way = (group: readonly number[]) => star(group, { root: root.position, towards: true });
  const { slowdown } = preflight(call, [phaseOf(call, "gather", way)]);
  const result = onRoots(call, root, gathered);
  const bytes = gatheredBytes(call, gathered);
  return result(report(call, { bytes, dtype: call.x.dtype, shape: call.x.shape, slowdown }));
}

/**
 * Splits what the root of each group holds among its devices.
 *
 * @throws E_COLLECTIVE for a root or dimension that is not there; E_DESYNC, E_DEVICE_LOST,
 *   E_PARTITION.
 */
export function scatter(x: DistTensor, options: ScatterOptions = {}): DistTensor {
  const call = begin("scatter", x, options);
  const root = resolveRoot(call, options.root);
  const { split = "ceil" } = options;
  const dim = resolveDim(call, "dim", options.dim ?? 0);
  const way = (group: readonly number[]) => star(group, { root: root.position, towards: false });
  const { slowdown } = preflight(call, [phaseOf(call, "scatter", way)]);
  const blockOf = (rank: number) => call.contribution(root.rankFor(rank));
  const result = finish(call, {
    placements: splitInnermost(call, { dim, split }),
    blockOf: splitAmong(call, { dim, split, blockOf }),
  });
  const { dtype, shape } = call.x;
  const bytes = localBytes(call, [root.rankFor(0)]);
  return result(report(call, { bytes, dtype, shape, slowdown }));
}

interface Everywhere {
  /** One for each axis of the call's mesh. */
  readonly placements: readonly Placement[];
  readonly blockOf: (rank: number) => Block;
}

/** A result that only the roots keep. */
function onRoots(call: Call, root: Root, { placements, blockOf }: Everywhere): Result {
  const mesh = meshOfRoots(call, root);
  const ranks = ranksIn(call.mesh, mesh);
  const left = placements.filter((_, axis) => !call.axes.includes(call.mesh.axes[axis] ?? ""));
  return finish(call, {
    mesh,
    placements: left.length === 0 ? [{ kind: "replicate" }] : left,
    blockOf: (rank) => blockOf(ranks[rank] ?? 0),
  });
}
