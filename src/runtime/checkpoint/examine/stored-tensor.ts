import type { DType } from "../../tensor/dtype/index.ts";
import { contiguousStrides } from "../../tensor/shape.ts";
import {
  type Box,
  bitsIn,
  boxCopy,
  ChunkIndex,
  copyRange,
  type OpenFiles,
  shapeOfBox,
  sizeOfBox,
} from "../reshard/index.ts";
import { bandsOf } from "./bands.ts";

/** A part of a tensor in a file. */
export interface StoredChunk {
  readonly file: string;
  /** From the start of the file. */
  readonly offset: number;
  readonly box: Box;
}

/** A tensor in files, whoever wrote them. */
export interface StoredTensor {
  readonly name: string;
  /** As its own world calls it: `bf16` in a checkpoint, `BF16` in a file. */
  readonly dtype: string;
  /** What we can decode it as; undefined for formats that we have not. */
  readonly ours: DType | undefined;
  /** As its file says. */
  readonly declaredShape: readonly number[];
  /** In elements of `elementBytes`: for formats smaller than a byte, its bytes. */
  readonly shape: readonly number[];
  readonly elementBytes: number;
  readonly chunks: readonly StoredChunk[];
  /** Known without reading only of checkpoints. */
  readonly digest?: string;
}

/** Bytes of a tensor that are in memory at the same time. */
const bandBytes = 16 * 1024 * 1024;

/**
 * Reads a tensor from its first element to its last, a bounded part at a time. Hashes of pieces are
 * not looked at: who needs to trust the bytes takes the digest of all of them.
 */
export async function* readInOrder(
  { shape, elementBytes, chunks }: StoredTensor,
  open: OpenFiles,
): AsyncGenerator<Uint8Array> {
  const index = new ChunkIndex(
    shape.length,
    chunks.map(({ box }) => box),
  );
  const width = elementBytes === 8 ? 2 : 1;
  for (const band of bandsOf(shape, { elementBytes, bytesMax: bandBytes })) {
    const bytes = new Uint8Array(sizeOfBox(band) * elementBytes);
    const to = bitsIn(bytes, elementBytes);
    for (const { index: at, common } of index.meetings(band)) {
      const chunk = chunks[at] as StoredChunk;
      const chunkShape = shapeOfBox(chunk.box);
      // A band is whole rows, so that what a chunk has of it lies there in one run.
      const first = placeOf(common.inA, chunkShape);
      const count = sizeOfBox(common.inA);
      const part = new Uint8Array(count * elementBytes);
      await open.read(chunk.file, part, chunk.offset + first * elementBytes);
      const copy = boxCopy(
        { shape: chunkShape, box: common.inA },
        { shape: shapeOfBox(band), box: common.inB },
      );
      const from = bitsIn(part, elementBytes);
      copyRange(copy, { start: 0, end: count, from, fromFirst: first, to, width });
    }
    yield bytes;
  }
}

/** The place of a box's first element. */
function placeOf(box: Box, shape: readonly number[]): number {
  const strides = contiguousStrides(shape);
  return box.reduce((place, { start }, dim) => place + start * (strides[dim] as number), 0);
}
