import { createHash, type Hash } from "node:crypto";
import { type DType, dtypeInfo, littleEndian } from "../dtype/index.ts";
import { sizeOf } from "../shape.ts";

/** What a digest is taken of: a tensor that can be read in pieces. */
export interface DigestSource {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /**
   * Fills `into` with the stored bytes of `count` elements in row-major order, from element
   * `startElement` on. Element bytes are in the order of this machine. `into` starts at a multiple
   * of eight bytes of its buffer, and is exactly as long as the elements need.
   */
  read(startElement: number, count: number, into: Uint8Array): void;
}

/** Logical bytes of one leaf; a power of two, so that every dtype fills it without remainder. */
const blockBytes = 1024 * 1024;

/**
 * The digest of a tensor's dtype, shape and every bit of every element, whatever its strides and
 * wherever its parts lie. `-0` differs from `0` and one NaN from another. It holds one block of
 * 1 MiB at a time.
 *
 * The construction, for others to repeat: cut the elements, in row-major order and little-endian
 * bytes, into blocks of 1 MiB; the last may be shorter, and an empty tensor has none. The leaf of a
 * block is the SHA-256 of the byte 0x00 and the block. The root is the SHA-256 of the byte 0x01, the
 * line `tessera tensor 1 DTYPE [D0,D1,…]` in UTF-8 with a line feed at its end, and the 32 bytes of
 * every leaf in order. The digest is `sha256:` and the root as 64 lower-case hex digits. So the leaf
 * of a block can be made alone, and a difference found by comparing leaves.
 */
export function digestOf({ dtype, shape, read }: DigestSource): string {
  const { bytes } = dtypeInfo(dtype);
  const size = sizeOf(shape, "digest");
  const root = startHash(0x01).update(`tessera tensor 1 ${dtype} [${shape.join(",")}]\n`);
  const perBlock = blockBytes / bytes;
  const block = new Uint8Array(Math.min(size, perBlock) * bytes);
  for (let start = 0; start < size; start += perBlock) {
    const count = Math.min(perBlock, size - start);
    const part = block.subarray(0, count * bytes);
    read(start, count, part);
    if (!littleEndian) swapBytes(part, bytes);
    root.update(startHash(0x00).update(part).digest());
  }
  return `sha256:${root.digest("hex")}`;
}

/** A first byte that tells leaves from the root, so that neither can pass for the other. */
function startHash(tag: number): Hash {
  return createHash("sha256").update(Uint8Array.of(tag));
}

function swapBytes(part: Uint8Array, bytes: number): void {
  for (let start = 0; start < part.length; start += bytes) {
    part.subarray(start, start + bytes).reverse();
  }
}
