import { createHash } from "node:crypto";
import type { Block } from "../../dist/array/block.ts";
import {
  type DType,
  dtypeInfo,
  littleEndian,
  type RawArray,
  rawOver,
} from "../../tensor/dtype/index.ts";
import { sizeOf } from "../../tensor/shape.ts";
import { sha256 } from "../reshard/index.ts";
import { type ByteBudget, Together } from "./hashing.ts";
import { swapElements } from "./write-shard.ts";

/** Logical bytes of one leaf of `digestOf`. */
const leafBytes = 2 ** 20;

/** Where a leaf's elements lie in the whole. */
export interface LeafRange {
  /** In elements. */
  readonly start: number;
  readonly count: number;
}

/** The leaves of a tensor's digest, in order. */
export function* leafRanges(dtype: DType, shape: readonly number[]): Generator<LeafRange> {
  const size = sizeOf(shape);
  const perLeaf = leafBytes / dtypeInfo(dtype).bytes;
  for (let start = 0; start < size; start += perLeaf) {
    yield { start, count: Math.min(perLeaf, size - start) };
  }
}

/** Bytes of memory that a leaf takes: its elements begin at a multiple of eight. */
export function leafMemory(dtype: DType, { count }: LeafRange): number {
  return 8 + count * dtypeInfo(dtype).bytes;
}

/** One leaf's elements in memory, with the byte before them that tells leaves from the root. */
export class LeafBuffer {
  readonly #dtype: DType;
  readonly #buffer: ArrayBuffer;
  /** Where the elements go. */
  readonly raw: RawArray;

  constructor(dtype: DType, { count }: LeafRange, buffer: ArrayBuffer) {
    this.#dtype = dtype;
    this.#buffer = buffer;
    this.raw = rawOver(dtype, { buffer, byteOffset: 8, count });
  }

  /** The leaf's hash in hex, once all elements are there. */
  hash(): Promise<string> {
    const { bytes: width } = dtypeInfo(this.#dtype);
    const tagged = new Uint8Array(this.#buffer, 7, 1 + this.raw.length * width);
    if (!littleEndian) swapElements(tagged.subarray(1), width);
    tagged[0] = 0x00;
    return sha256(tagged);
  }
}

/** The digest that these leaves make, as `digestOf` does. */
export function rootOf(dtype: DType, shape: readonly number[], leaves: readonly string[]): string {
  const root = createHash("sha256").update(Uint8Array.of(0x01));
  root.update(`tessera tensor 1 ${dtype} [${shape.join(",")}]\n`);
  for (const leaf of leaves) root.update(Buffer.from(leaf, "hex"));
  return `sha256:${root.digest("hex")}`;
}

/**
 * The digest of a whole that is read in pieces, equal to `Tensor.digest()` of it, with the leaves
 * hashed on libuv's threads.
 */
export async function digestBlock(
  block: Block,
  { budget, signal }: { readonly budget: ByteBudget; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const { dtype, shape } = block;
  const leaves: string[] = [];
  const together = new Together();
  try {
    let number = 0;
    for (const range of leafRanges(dtype, shape)) {
      signal?.throwIfAborted();
      const loan = await budget.take(leafMemory(dtype, range));
      const at = number++;
      together.start(async () => {
        try {
          const leaf = new LeafBuffer(dtype, range, loan.buffer);
          block.read(leaf.raw, { ...range, outStart: 0 });
          leaves[at] = await leaf.hash();
        } finally {
          loan.giveBack();
        }
      });
    }
    await together.finish();
  } finally {
    await together.settled();
  }
  return rootOf(dtype, shape, leaves);
}
