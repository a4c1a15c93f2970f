import { TesseraError } from "../../../platform/errors/index.ts";
import { formatShape, sameShape } from "../../tensor/shape.ts";
import { corrupted } from "../array/corrupt.ts";
import { type Block, DistTensor } from "../array/index.ts";
import { inferShape } from "../array/infer-shape.ts";
import { resolveLayout } from "../layout/index.ts";
import { badCall, begin, type Call } from "./call.ts";
import { resolveDim } from "./dims.ts";
import { localBytes } from "./finish.ts";
import { concatenate } from "./gathering.ts";
import type { CollectiveOptions } from "./options.ts";
import { splitInnermost } from "./placed.ts";
import { checkWays, phaseOf } from "./preflight.ts";
import { everyPair } from "./routes.ts";
import { report } from "./timing.ts";

/** `counts[i][j]`: how many indices of the dimension member i of a group sends to member j. */
export type Counts = readonly (readonly number[])[];

export interface AllToAllVOptions extends CollectiveOptions {
  /** For every group the same, or for each by its number in `mesh.groups(over)`. */
  readonly counts: Counts | ((group: number) => Counts);
  /** The dimension that is cut and put together. Default: 0. */
  readonly dim?: number;
}

/**
 * Every device of a group sends each member a number of its own of rows (indices of `dim`), and puts
 * what it gets one after the other, as experts get their tokens. What the devices end with may be
 * of any size, so `shardingReport()` of the result may say that sizes are not those of its layout;
 * allToAllV with the counts transposed undoes it.
 *
 * @throws E_COLLECTIVE for counts that do not use up exactly what a device holds; E_DESYNC,
 *   E_DEVICE_LOST, E_PARTITION.
 */
export function allToAllV(x: DistTensor, options: AllToAllVOptions): DistTensor {
  const call = begin("all-to-all", x, options);
  const dim = resolveDim(call, "dim", options.dim ?? 0);
  const { counts } = options;
  const countsOf = typeof counts === "function" ? counts : () => counts;
  for (const number of call.groups.keys())
    checkCounts(call, { number, dim, counts: countsOf(number) });
  refuseDifferent(call, dim);
  const { slowdown } = checkWays(call, [phaseOf(call, "exchange", everyPair)]);
  const held = new Map<number, Block>();
  for (const [number, group] of call.groups.entries()) {
    for (const [to, rank] of group.entries()) {
      const block = received(call, { group, to, dim, counts: countsOf(number) });
      held.set(rank, outputOf(call, rank, block));
    }
  }
  const { mesh, x: given } = call;
  const placements = splitInnermost(call, { dim, split: "ceil" });
  const shape = inferShape(mesh, placements, (rank) => held.get(rank)?.shape ?? []);
  const bytes = localBytes(call, call.groups[0] ?? []);
  const { dtype } = given;
  return new DistTensor({
    mesh,
    layout: resolveLayout(placements, { mesh, shape }),
    dtype,
    shape,
    blocks: mesh.devices.map((_, rank) => held.get(rank) as Block),
    provenance: report(call, { bytes, dtype, shape: given.shape, slowdown }),
  });
}

interface Delivery {
  readonly group: readonly number[];
  /** The receiver's position in the group. */
  readonly to: number;
  readonly dim: number;
  readonly counts: Counts;
}

function received(call: Call, { group, to, dim, counts }: Delivery): Block {
  const sent = group.map((rank, from) => {
    const row = counts[from] ?? [];
    const start = row.slice(0, to).reduce((sum, count) => sum + count, 0);
    const slice = { start, step: 1, count: row[to] ?? 0 };
    return { block: call.contribution(rank), part: { dim, slice } };
  });
  return concatenate(call, sent, dim);
}

function outputOf({ health, op, mesh }: Call, rank: number, block: Block): Block {
  return corrupted(block, { health, op, device: mesh.deviceOf(rank), where: "output" });
}

function checkCounts(
  { op, x, groups }: Call,
  { number, dim, counts }: { number: number; dim: number; counts: Counts },
): void {
  const group = groups[number] ?? [];
  const isSquare =
    counts.length === group.length && counts.every((row) => row.length === group.length);
  const areCounts = counts.every((row) =>
    row.every((one) => Number.isSafeInteger(one) && one >= 0),
  );
  if (!isSquare || !areCounts) {
    throw badCall(
      op,
      `\`counts\` of group ${number} is no list of ${group.length} lists of ${group.length} whole numbers`,
      "counts[i][j] says how many rows member i sends to member j.",
    );
  }
  for (const [from, rank] of group.entries()) {
    const sent = (counts[from] ?? []).reduce((sum, one) => sum + one, 0);
    const has = x.block(rank).shape[dim] ?? 0;
    if (sent === has) continue;
    throw badCall(
      op,
      `rank ${rank} holds ${has} rows along dimension ${dim}, and its counts add up to ${sent}`,
      "Send every row somewhere, if need be to the sender itself.",
    );
  }
}

/** Sizes along `dim` are the counts' business; everything else must agree. */
function refuseDifferent({ op, x, groups }: Call, dim: number): void {
  const rest = (block: Block) => block.shape.filter((_, at) => at !== dim);
  for (const group of groups) {
    const [first = 0] = group;
    const wanted = x.block(first);
    const wrong = group.filter((rank) => {
      const block = x.block(rank);
      return block.dtype !== x.dtype || !sameShape(rest(block), rest(wanted));
    });
    const [rank] = wrong;
    if (rank === undefined) continue;
    const shown = (one: number) => `${x.block(one).dtype}${formatShape(x.block(one).shape)}`;
    throw new TesseraError("E_DESYNC", {
      op,
      problem: `rank ${rank} holds ${shown(rank)} and rank ${first} ${shown(first)}`,
      what: "dtype and other dimensions",
      ranks: wrong,
    });
  }
}
