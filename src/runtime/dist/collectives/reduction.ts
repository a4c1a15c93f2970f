import assert from "node:assert/strict";
import { allocateRaw } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import {
  type ChunkSource,
  type ReduceOp,
  type ReduceOrder,
  reduceInto,
  reduceOps,
  reduceOrders,
} from "../../tensor/reduce/index.ts";
import { identityOf } from "../array/block.ts";
import { ConstantBlock } from "../array/constant-block.ts";
import type { Block } from "../array/index.ts";
import { shiftSource } from "../array/shift-source.ts";
import { TensorBlock } from "../array/tensor-block.ts";
import { badCall, type Call } from "./call.ts";
import type { ReductionOptions } from "./options.ts";

/** How a collective reduces. */
export interface Reduction {
  readonly op: ReduceOp;
  readonly order: ReduceOrder;
  readonly accumulate: "dtype" | "f32";
  readonly notes: readonly string[];
}

/**
 * Settles how to reduce.
 *
 * @param orderOfAlgorithm the order that the modelled algorithm adds in; asked for only without
 *   determinism.
 * @throws E_COLLECTIVE for an operation or order that is none, and for a contradiction.
 */
export function resolveReduction(
  call: Call,
  options: ReductionOptions,
  orderOfAlgorithm: () => ReduceOrder,
): Reduction {
  const { deterministic, order } = options;
  const awaited = awaitedOp(call);
  const op = options.op ?? awaited ?? "sum";
  if (!reduceOps.includes(op)) {
    throw badCall(call.op, `there is no reduction ${op}`, `Use one of ${reduceOps.join(", ")}.`);
  }
  if (order !== undefined && !reduceOrders.includes(order)) {
    throw badCall(call.op, `there is no order ${order}`, `Use one of ${reduceOrders.join(", ")}.`);
  }
  if (deterministic === true && order !== undefined && order !== "exact") {
    throw badCall(
      call.op,
      `the order ${order} depends on the layout, and deterministic: true must not`,
      "Leave out `order` for the exact sum, or `deterministic` to see what the order does.",
    );
  }
  return {
    op,
    order: order ?? (deterministic === false ? orderOfAlgorithm() : "exact"),
    accumulate: options.accumulate ?? "f32",
    notes: lint(call, op, awaited),
  };
}

/** What the values wait for along the axes of the call, if they do. */
function awaitedOp({ x, mesh, axes }: Call): ReduceOp | undefined {
  for (const axis of axes) {
    const placement = x.layout.placements[mesh.axisIndex(axis)];
    if (placement?.kind === "partial") return placement.op;
  }
  return undefined;
}

// With these operations it matters how often a value takes part.
const countsCopies: readonly ReduceOp[] = ["sum", "prod", "bxor"];

function lint(call: Call, op: ReduceOp, awaited: ReduceOp | undefined): readonly string[] {
  const { x, mesh, axes } = call;
  const notes: string[] = [];
  const replicated = axes.filter(
    (axis) =>
      mesh.axisSize(axis) > 1 && x.layout.placements[mesh.axisIndex(axis)]?.kind === "replicate",
  );
  if (replicated.length > 0 && countsCopies.includes(op)) {
    const copies = replicated.reduce((product, axis) => product * mesh.axisSize(axis), 1);
    notes.push(
      `REDUCE_OF_REPLICATED each of the ${copies} replicas along ${replicated.join(", ")} counts; reducePartial reduces partial values only`,
    );
  }
  if (awaited !== undefined && awaited !== op) {
    notes.push(`REDUCE_OF_OTHER_PARTIAL the values wait for ${awaited}, and ${op} was asked for`);
  }
  return notes;
}

/** A stretch of the elements, and the groups in which it is reduced first. */
export interface Chunk {
  readonly start: number;
  readonly count: number;
  /** Positions in the group. Default: all at once. */
  readonly groups?: readonly (readonly number[])[];
}

/** Which stretches of so many elements a group reduces, and how. */
export type ChunksOf = (size: number, group: readonly number[]) => readonly Chunk[];

const wholeAtOnce: ChunksOf = (size) => [{ start: 0, count: size }];

/**
 * Reduces each group into one new block, which all of its ranks share. Groups that hold the same
 * blocks, as replicas do, share it too.
 *
 * @param chunksOf default: everything at once.
 */
export function reduceGroups(
  { groups, contribution }: Call,
  reduction: Reduction,
  chunksOf = wholeAtOnce,
): ReadonlyMap<number, Block> {
  const known = new Map<string, Block>();
  const blocks = new Map<number, Block>();
  for (const group of groups) {
    const handedIn = group.map(contribution);
    const chunks = chunksOf(handedIn[0]?.size ?? 0, group);
    const key = `${identityOf(handedIn)} ${JSON.stringify(chunks)}`;
    const block = known.get(key) ?? reduceBlocks(handedIn, reduction, chunks);
    known.set(key, block);
    for (const rank of group) blocks.set(rank, block);
  }
  return blocks;
}

function reduceBlocks(
  blocks: readonly Block[],
  { op, order, accumulate }: Reduction,
  chunks: readonly Chunk[],
): Block {
  const [first] = blocks;
  assert(first !== undefined, "a group has devices");
  if (blocks.length === 1) return first;
  const { dtype, shape, size } = first;
  const sources = blocks.map((block) => block.source());
  const isConstant = size > 0 && areConstant(sources, order);
  const out = allocateRaw(dtype, isConstant ? 1 : size);
  for (const { start, count, groups } of isConstant ? firstElement(chunks) : chunks) {
    if (count === 0) continue;
    reduceInto({
      dtype,
      op,
      count,
      sources: sources.map((source) => shiftSource(source, start)),
      order,
      accumulate,
      out,
      outStart: start,
      ...(groups === undefined ? {} : { groups }),
    });
  }
  if (!isConstant) return new TensorBlock(Tensor.over(out, { dtype, shape }));
  return new ConstantBlock({ dtype, shape, value: Tensor.over(out, { dtype, shape: [] }).item() });
}

function firstElement([chunk]: readonly Chunk[]): readonly Chunk[] {
  return chunk === undefined ? [] : [{ ...chunk, count: 1 }];
}

/** True when every element comes out the same, because each source is one number throughout. */
function areConstant(sources: readonly ChunkSource[], order: ReduceOrder): boolean {
  const [first] = sources;
  return sources.every(
    (source) =>
      source.kind === "constant" &&
      // A ring adds in another order in each of its chunks.
      (order !== "ring" || (first?.kind === "constant" && Object.is(source.value, first.value))),
  );
}
