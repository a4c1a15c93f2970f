import { type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import { contiguousStrides } from "../../tensor/shape.ts";
import type { ManifestTensor } from "../manifest/index.ts";
import {
  type Box,
  bitsIn,
  boxCopy,
  ChunkIndex,
  type CommonBox,
  copyRange,
  inBounds,
  type Meeting,
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

/** A tensor of a manifest. */
export function storedTensor({ name, dtype, shape, chunks, digest }: ManifestTensor): StoredTensor {
  const elementBytes = dtypeInfo(dtype).bytes;
  const form = { ours: dtype, declaredShape: shape, shape, elementBytes };
  return { name, dtype, ...form, chunks, digest };
}

/** Bytes of a tensor that are in memory at the same time. */
const bandBytesUsual = 16 * 1024 * 1024;
/** Parts of a band that are read or written at the same time. */
export const partsAtOnce = 8;

/** A part of a tensor: whole rows, so that its elements follow each other in row-major order. */
export interface Band {
  readonly box: Box;
  /** They count until the next band is asked for. */
  readonly bytes: Uint8Array;
}

export interface ReadingInOrder {
  /** @default 16 MiB */
  readonly bandBytes?: number | undefined;
  /** Hears all that is read of a chunk, in the chunk's own order. The bytes count until it resolves. */
  readonly onRun?: (chunk: number, bytes: Uint8Array) => Promise<void>;
  /** Hears why a chunk cannot be read; bands have no bytes of it from then on. @default it is thrown */
  readonly onBad?: (chunk: number, error: unknown) => void;
}

/**
 * Reads a tensor from its first element to its last, every byte once, a bounded part at a time. Hashes
 * of pieces are not looked at: who needs to trust the bytes takes the digest of all of them.
 */
export async function* readInOrder(
  { shape, elementBytes, chunks }: StoredTensor,
  open: OpenFiles,
  { bandBytes = bandBytesUsual, onRun, onBad }: ReadingInOrder = {},
): AsyncGenerator<Band> {
  const index = new ChunkIndex(
    shape.length,
    chunks.map(({ box }) => box),
  );
  const unreadable = new Set<number>();
  let buffer = new Uint8Array(0);
  for (const box of bandsOf(shape, { elementBytes, bytesMax: bandBytes })) {
    const size = sizeOfBox(box) * elementBytes;
    if (buffer.length < size) buffer = new Uint8Array(size);
    const bytes = buffer.subarray(0, size);
    const meetings = index.meetings(box).filter(({ index: at }) => !unreadable.has(at));
    const read = async ({ index: at, common }: Meeting) => {
      const chunk = chunks[at] as StoredChunk;
      try {
        const part = await readPart(open, { chunk, common, box, bytes, elementBytes });
        await onRun?.(at, part);
      } catch (error) {
        if (onBad === undefined) throw error;
        unreadable.add(at);
        onBad(at, error);
      }
    };
    const bytesOf = ({ common }: Meeting) => sizeOfBox(common.inA) * elementBytes;
    await inBounds(meetings, read, { bytesOf, bytesMax: bandBytes, itemsMax: partsAtOnce });
    yield { box, bytes };
  }
}

/** Reads what a chunk has of a band and puts it where it belongs. @returns it as it lies in the file */
async function readPart(
  open: OpenFiles,
  about: {
    readonly chunk: StoredChunk;
    readonly common: CommonBox;
    readonly box: Box;
    readonly bytes: Uint8Array;
    readonly elementBytes: number;
  },
): Promise<Uint8Array> {
  const { chunk, common, box, bytes, elementBytes } = about;
  const shape = shapeOfBox(chunk.box);
  // A band is whole rows, so that what a chunk has of it lies there in one run.
  const first = placeOf(common.inA, shape);
  const count = sizeOfBox(common.inA);
  const isAll = count * elementBytes === bytes.length;
  const part = isAll ? bytes : new Uint8Array(count * elementBytes);
  await open.read(chunk.file, part, chunk.offset + first * elementBytes);
  if (isAll) return part;
  const copy = boxCopy({ shape, box: common.inA }, { shape: shapeOfBox(box), box: common.inB });
  const [from, to] = [bitsIn(part, elementBytes), bitsIn(bytes, elementBytes)];
  const width = elementBytes === 8 ? 2 : 1;
  copyRange(copy, { start: 0, end: count, from, fromFirst: first, to, width });
  return part;
}

/** The place of a box's first element. */
function placeOf(box: Box, shape: readonly number[]): number {
  const strides = contiguousStrides(shape);
  return box.reduce((place, { start }, dim) => place + start * (strides[dim] as number), 0);
}
