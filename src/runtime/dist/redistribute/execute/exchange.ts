import assert from "node:assert/strict";
import type { Block } from "../../array/block.ts";
import { type DimSlice, localShape, splitPart } from "../../layout/index.ts";
import type { Placed } from "../plan/plan-types.ts";
import { Pieces } from "./pieces.ts";
import { blockOf, type StepWork } from "./step-work.ts";

/** Gives each rank what the members of its group hold of a dimension: all-gather. */
export function gather(work: StepWork): Block[] {
  return regroup(work, (_, { sender }) => blockOf(work, sender));
}

/** Gathers one dimension and splits another in one exchange: all-to-all. */
export function exchange(work: StepWork): Block[] {
  return regroup(work, (pieces, { member, sender }) =>
    cutPart(work, pieces, { block: blockOf(work, sender), member }),
  );
}

/** Keeps of each rank's block its part of a dimension. */
export function slice(work: StepWork): Block[] {
  const { step } = work;
  const pieces = new Pieces(work.dtype);
  const result: Block[] = [];
  for (const group of step.to.mesh.groups(step.meshAxes)) {
    for (const [member, rank] of group.entries()) {
      result[rank] = cutPart(work, pieces, { block: blockOf(work, rank), member });
    }
  }
  return result;
}

/** The part of a block that a member of a group gets when the step splits a dimension. */
export function cutPart(
  { step }: StepWork,
  pieces: Pieces,
  { block, member }: { readonly block: Block; readonly member: number },
): Block {
  const { scattered } = step;
  assert(scattered !== undefined, "the step splits a dimension");
  const slices = wholeOf(block.shape).with(
    scattered,
    partOf(step.to, step.meshAxes, { member, length: block.shape[scattered] ?? 0 }),
  );
  return pieces.cut(block, slices);
}

/** Joins, for each member of a group, what every member sends it along the gathered dimension. */
function regroup(
  work: StepWork,
  sent: (pieces: Pieces, between: { readonly member: number; readonly sender: number }) => Block,
): Block[] {
  const { step, shape, movement } = work;
  const { mesh, layout } = step.to;
  const { gathered } = step;
  assert(gathered !== undefined, "the step joins a dimension");
  const pieces = new Pieces(work.dtype);
  const result: Block[] = [];
  for (const group of mesh.groups(step.meshAxes)) {
    for (const [member, rank] of group.entries()) {
      const joined = localShape(layout, { mesh, shape, rank });
      const length = joined[gathered] ?? 0;
      const parts = group.map((sender, position) => {
        const block = sent(pieces, { member, sender });
        if (sender !== rank) movement.received(rank, block.size);
        const part = partOf(step.from, step.meshAxes, { member: position, length });
        return { block, slices: wholeOf(joined).with(gathered, part) };
      });
      result[rank] = pieces.join(joined, parts);
    }
  }
  return result;
}

function wholeOf(shape: readonly number[]): DimSlice[] {
  return shape.map((count) => ({ start: 0, step: 1, count }));
}

/** A member's part of a length that the axis of a step splits. */
function partOf(
  { mesh, layout }: Placed,
  [axis = ""]: readonly string[],
  { member, length }: { readonly member: number; readonly length: number },
): DimSlice {
  const how = layout.placements[mesh.axisIndex(axis)];
  assert(how?.kind === "shard", "the axis of the step splits a dimension");
  return splitPart({ length, parts: mesh.axisSize(axis), index: member, how });
}
