import { settle } from "../../../platform/time/index.ts";
import type { Block } from "../../dist/array/block.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import { refused, type Snapshot } from "./snapshot.ts";
import { readPiece } from "./write-shard.ts";

const windowBytes = 4 * 2 ** 20;
const namedMax = 8;

/**
 * Makes sure that those who should hold the same hold the same bits. Replicas that share their memory
 * are the same by construction and are not read.
 *
 * @throws E_CHECKPOINT_STATE naming the tensor and the ranks that differ from the first.
 */
export async function compareReplicas(snapshot: Snapshot, signal?: AbortSignal): Promise<void> {
  for (const { name, boxes, block } of snapshot.tensors) {
    for (const { ranks } of boxes) {
      const [first = 0] = ranks;
      const wanted = block(first);
      const known = new Map<Block, boolean>([[wanted, true]]);
      const others: number[] = [];
      for (const rank of ranks) {
        const held = block(rank);
        const isSame = known.get(held) ?? (await sameBits(wanted, held, signal));
        known.set(held, isSame);
        if (!isSame) others.push(rank);
      }
      if (others.length > 0) throw differing(snapshot.tag, name, { first, others });
    }
  }
}

export function differing(
  tag: string,
  name: string,
  { first, others }: { readonly first: number; readonly others: readonly number[] },
) {
  const named = others.slice(0, namedMax).join(", ");
  const more = others.length > namedMax ? ` and ${others.length - namedMax} more` : "";
  const who = others.length === 1 ? `rank ${named}` : `ranks ${named}${more}`;
  return refused(tag, `${name} has other bits on ${who} than on its replica, rank ${first}`);
}

async function sameBits(one: Block, other: Block, signal?: AbortSignal): Promise<boolean> {
  const bytes = one.size * dtypeInfo(one.dtype).bytes;
  const window = Math.min(windowBytes, Math.ceil(bytes / 8) * 8);
  const buffers = [new ArrayBuffer(window), new ArrayBuffer(window)] as const;
  for (let start = 0; start < bytes; start += windowBytes) {
    const count = Math.min(windowBytes, bytes - start);
    const left = readPiece(one, { start, bytes: count, buffer: buffers[0] });
    const right = readPiece(other, { start, bytes: count, buffer: buffers[1] });
    if (Buffer.compare(left, right) !== 0) return false;
    if (start + count === bytes) break;
    // Others get a turn: a comparison of many GiB would stop the whole program.
    await settle();
    signal?.throwIfAborted();
  }
  return true;
}
