import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { ConstantBlock } from "../array/constant-block.ts";
import type { Block, DistTensor } from "../array/index.ts";
import type { Placement } from "../layout/index.ts";
import { badCall, begin, type Call } from "./call.ts";
import { finish } from "./finish.ts";
import type { CollectiveOptions } from "./options.ts";
import { placed } from "./placed.ts";
import { phaseOf, preflight } from "./preflight.ts";
import type { Hop } from "./routes.ts";
import { report } from "./timing.ts";

export interface PermuteOptions extends CollectiveOptions {
  /** Who sends to whom, as positions in a group. Nobody sends twice, nobody gets twice. */
  readonly pairs: readonly (readonly [from: number, to: number])[];
}

export interface SendRecvOptions extends CollectiveOptions {
  /** The sender's position in its group. */
  readonly from: number;
  /** The receiver's position in its group. */
  readonly to: number;
}

/**
 * Sends what devices hold to others of their group. Who gets nothing is left with zeros. Where the
 * devices along an axis held copies and now hold different things, the axis becomes partial.
 *
 * @throws E_COLLECTIVE for positions that are not there or twice, and parts that do not fit where
 *   they go; E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function permute(x: DistTensor, options: PermuteOptions): DistTensor {
  const call = begin("permute", x, options);
  const { pairs } = options;
  checkPairs(call, pairs);
  const senders = new Map(pairs.map(([from, to]) => [to, from]));
  return moved(call, { pairs, phase: "exchange" }, (group, position) => {
    const from = senders.get(position);
    const rank = group[position] ?? 0;
    return from === undefined ? zerosLike(call, rank) : call.contribution(group[from] ?? 0);
  });
}

/**
 * Sends what one device of each group holds to another; all others keep what they have. Where the
 * devices along an axis held copies and now hold different things, the axis becomes partial.
 *
 * @throws E_COLLECTIVE for positions that are not there, and parts that do not fit where they go;
 *   E_DESYNC, E_DEVICE_LOST, E_PARTITION.
 */
export function sendRecv(x: DistTensor, options: SendRecvOptions): DistTensor {
  const call = begin("send-recv", x, options);
  const { from, to } = options;
  const pairs = [[from, to]] as const;
  checkPairs(call, pairs);
  return moved(call, { pairs, phase: "send" }, (group, position) => {
    const rank = group[position] ?? 0;
    return position === to ? call.contribution(group[from] ?? 0) : call.x.block(rank);
  });
}

interface Move {
  readonly pairs: PermuteOptions["pairs"];
  readonly phase: string;
}

function moved(
  call: Call,
  { pairs, phase }: Move,
  blockAt: (group: readonly number[], position: number) => Block,
): DistTensor {
  const hopsIn = (group: readonly number[]) =>
    pairs
      .map(([from, to]): Hop => [group[from] ?? 0, group[to] ?? 0])
      .filter(([from, to]) => from !== to);
  const ranks = call.groups.flatMap((group) =>
    pairs.flat().map((position) => group[position] ?? 0),
  );
  const { slowdown } = preflight(call, [phaseOf(call, phase, hopsIn)], ranks);
  const blocks = new Map<number, Block>();
  for (const group of call.groups) {
    for (const [position, rank] of group.entries()) blocks.set(rank, blockAt(group, position));
  }
  const result = finish(call, {
    placements: placementsAfter(call, blocks),
    blockOf: (rank) => blocks.get(rank) as Block,
  });
  const { dtype, shape } = call.x;
  const sizes = ranks.map((rank) => call.x.block(rank).size);
  const bytes = dtypeInfo(dtype).bytes * Math.max(0, ...sizes);
  return result(report(call, { bytes, dtype, shape, slowdown }));
}

/** Copies that are no longer the same are values of their own: terms, until somebody reduces them. */
function placementsAfter(call: Call, blocks: ReadonlyMap<number, Block>): readonly Placement[] {
  const { x, mesh, groups } = call;
  const areSame = groups.every(
    (group) => new Set(group.map((rank) => blocks.get(rank))).size === 1,
  );
  const awaited = x.layout.placements.find((placement) => placement.kind === "partial");
  return placed(call, (axis) => {
    const placement = x.layout.placements[mesh.axisIndex(axis)] ?? { kind: "replicate" };
    if (placement.kind !== "replicate" || areSame) return placement;
    return { kind: "partial", op: awaited?.op ?? "sum" };
  });
}

function zerosLike({ x }: Call, rank: number): Block {
  const { dtype, shape } = x.block(rank);
  return new ConstantBlock({ dtype, shape, value: 0 });
}

function checkPairs({ op, groups }: Call, pairs: PermuteOptions["pairs"]): void {
  const size = groups[0]?.length ?? 0;
  const remedy = `Positions go from 0 to ${size - 1}, and each sends and gets at most once.`;
  for (const position of pairs.flat()) {
    if (Number.isInteger(position) && position >= 0 && position < size) continue;
    throw badCall(op, `there is no position ${position} in groups of ${size}`, remedy);
  }
  for (const [name, side] of [
    ["sends", 0],
    ["gets", 1],
  ] as const) {
    const positions = pairs.map((pair) => pair[side]);
    const twice = positions.find((position, at) => positions.indexOf(position) !== at);
    if (twice !== undefined) throw badCall(op, `position ${twice} ${name} twice`, remedy);
  }
}
