import { type DType, dtypeInfo, rawOver } from "../../tensor/dtype/index.ts";
import { digestOf } from "../../tensor/index.ts";
import type { Layout } from "../layout/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Block } from "./block.ts";

const known = new WeakMap<Block, string>();

/** The digest a block's elements have as a tensor, read in pieces. */
export function digestOfBlock(block: Block): string {
  const { dtype, shape } = block;
  const digest =
    known.get(block) ??
    digestOf({
      dtype,
      shape,
      read: (start, count, into) => block.read(rawInto(dtype, into), { start, count, outStart: 0 }),
    });
  known.set(block, digest);
  return digest;
}

function rawInto(dtype: DType, { buffer, byteOffset, length }: Uint8Array) {
  return rawOver(dtype, { buffer, byteOffset, count: length / dtypeInfo(dtype).bytes });
}

/**
 * For each rank a text that is the same for replicas with the same bits. Replicas that share one
 * block are the same by construction, so that nothing needs to be read: a tensor of 10^12 elements
 * can be judged.
 */
export function contentDigests(x: {
  readonly mesh: Mesh;
  readonly layout: Layout;
  block(rank: number): Block;
}): (rank: number) => string {
  const { mesh, layout } = x;
  const copied = layout.axesWith("replicate").map((axis) => mesh.axes[axis] ?? "");
  const isShared = new Map<number, boolean>();
  for (const copies of copied.length === 0 ? [] : mesh.groups(copied)) {
    const shared = new Set(copies.map((rank) => x.block(rank))).size === 1;
    for (const rank of copies) isShared.set(rank, shared);
  }
  return (rank) => (isShared.get(rank) === true ? "shared" : digestOfBlock(x.block(rank)));
}
