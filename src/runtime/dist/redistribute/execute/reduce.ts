import assert from "node:assert/strict";
import { allocateRaw } from "../../../tensor/dtype/index.ts";
import { Tensor } from "../../../tensor/index.ts";
import { reduceInto } from "../../../tensor/reduce/index.ts";
import { type Block, identityOf } from "../../array/block.ts";
import { TensorBlock } from "../../array/tensor-block.ts";
import { chunkOf } from "../plan/step-bytes.ts";
import { cutPart } from "./exchange.ts";
import { Pieces } from "./pieces.ts";
import { blockOf, type StepWork } from "./step-work.ts";

/** Gives every rank the reduced values of its group: all-reduce, each member reducing one chunk. */
export function allReduce(work: StepWork): Block[] {
  const { step, movement } = work;
  const reduced = reducer(work);
  const result: Block[] = [];
  for (const group of step.to.mesh.groups(step.meshAxes)) {
    const block = reduced(group);
    for (const [member, rank] of group.entries()) {
      const chunk = chunkOf(block.size, group.length, member);
      movement.received(rank, (group.length - 1) * chunk);
      movement.received(rank, block.size - chunk);
      result[rank] = block;
    }
  }
  return result;
}

/** Gives every rank its part of the reduced values of its group. */
export function reduceScatter(work: StepWork): Block[] {
  const { step, movement } = work;
  const reduced = reducer(work);
  const pieces = new Pieces(work.dtype);
  const result: Block[] = [];
  for (const group of step.to.mesh.groups(step.meshAxes)) {
    const block = reduced(group);
    for (const [member, rank] of group.entries()) {
      const part = cutPart(work, pieces, { block, member });
      movement.received(rank, (group.length - 1) * part.size);
      result[rank] = part;
    }
  }
  return result;
}

/** Reduces the blocks of a group, exactly and with one rounding; the same blocks only once. */
function reducer(work: StepWork): (group: readonly number[]) => Block {
  const { step, dtype } = work;
  const known = new Map<string, Block>();
  return (group) => {
    const blocks = group.map((rank) => blockOf(work, rank));
    const key = identityOf(blocks);
    const block = known.get(key) ?? reduceBlocks(blocks);
    known.set(key, block);
    return block;
  };

  function reduceBlocks(blocks: readonly Block[]): Block {
    const [first] = blocks;
    assert(first !== undefined && step.op !== undefined, "a reduction of at least one block");
    const { shape, size: count } = first;
    const out = allocateRaw(dtype, count);
    if (count > 0) {
      reduceInto({
        dtype,
        op: step.op,
        count,
        sources: blocks.map((block) => block.source()),
        out,
      });
    }
    return new TensorBlock(Tensor.over(out, { dtype, shape }));
  }
}
