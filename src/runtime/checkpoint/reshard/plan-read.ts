import { dtypeInfo } from "../../tensor/dtype/index.ts";
import type { ManifestChunk, ManifestPiece, ManifestTensor } from "../manifest/manifest.ts";
import { type Box, countBefore, shapeOfBox, sizeOfBox } from "./box.ts";
import { type BoxCopy, boxCopy } from "./box-copy.ts";
import { ChunkIndex } from "./chunk-index.ts";

/** Boxes of a tensor that somebody wants to have, each in storage of its own. */
export interface WantedTensor {
  readonly tensor: Pick<ManifestTensor, "name" | "dtype" | "shape" | "chunks">;
  readonly boxes: readonly Box[];
}

/** Some elements of a piece, and where they go. */
export interface PieceCopy {
  /** Which of the wanted boxes. */
  readonly box: number;
  readonly copy: BoxCopy;
  /** Elements of what the chunk and the wanted box share. */
  readonly start: number;
  readonly end: number;
}

/** One piece that holds a wanted element. */
export interface PieceRead {
  /** Which of the wanted tensors. */
  readonly wanted: number;
  /** The tensor's name. */
  readonly tensor: string;
  readonly chunk: ManifestChunk;
  readonly piece: ManifestPiece;
  /** From the start of the file. */
  readonly offset: number;
  /** The place in the chunk of its first element. */
  readonly firstElement: number;
  readonly copies: readonly PieceCopy[];
}

/** Pieces that lie next to each other in a file and are read in one call. */
export interface PieceGroup {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
  readonly pieces: readonly PieceRead[];
}

export interface ReadPlan {
  /** By file and place. */
  readonly groups: readonly PieceGroup[];
  /** What will be read: whole pieces. */
  readonly readBytes: number;
  /** What was asked for. */
  readonly wantedBytes: number;
}

/** Pieces are read together up to so many bytes; a larger piece alone. */
export const groupBytesMax = 16 * 1024 * 1024;

/**
 * Which pieces hold the wanted elements, and where each element goes. A piece that holds none is not
 * read. The chunks must have been checked: they lie in the tensor and do not overlap.
 */
export function planRead(wanted: readonly WantedTensor[]): ReadPlan {
  const reads = wanted.flatMap((one, index) => readsOf(one, index));
  const groups = grouped(inFileOrder(reads));
  return {
    groups,
    readBytes: groups.reduce((sum, { bytes }) => sum + bytes, 0),
    wantedBytes: wanted.reduce((sum, { tensor, boxes }) => {
      const elements = boxes.reduce((total, box) => total + sizeOfBox(box), 0);
      return sum + elements * dtypeInfo(tensor.dtype).bytes;
    }, 0),
  };
}

function readsOf({ tensor, boxes }: WantedTensor, wanted: number): PieceRead[] {
  const index = new ChunkIndex(
    tensor.shape.length,
    tensor.chunks.map(({ box }) => box),
  );
  const shares = new Map<ManifestChunk, Share[]>();
  for (const [number, box] of boxes.entries()) {
    for (const meeting of index.meetings(box)) {
      const chunk = tensor.chunks[meeting.index] as ManifestChunk;
      const { inA: inChunk, inB } = meeting.common;
      const shape = shapeOfBox(chunk.box);
      const copy = boxCopy({ shape, box: inChunk }, { shape: shapeOfBox(box), box: inB });
      const known = shares.get(chunk);
      const share = { box: number, inChunk, shape, copy };
      if (known === undefined) shares.set(chunk, [share]);
      else known.push(share);
    }
  }
  const { bytes } = dtypeInfo(tensor.dtype);
  const { name } = tensor;
  return [...shares].flatMap(([chunk, list]) =>
    piecesOf(chunk, bytes).flatMap((place) => {
      const copies = list.flatMap((share) => copyOf(share, place));
      const { piece, offset, firstElement } = place;
      if (copies.length === 0) return [];
      return [{ wanted, tensor: name, chunk, piece, offset, firstElement, copies }];
    }),
  );
}

function inFileOrder(reads: readonly PieceRead[]): readonly PieceRead[] {
  return reads.toSorted((a, b) => compareText(a.chunk.file, b.chunk.file) || a.offset - b.offset);
}

/** What a chunk and a wanted box share. */
interface Share {
  readonly box: number;
  readonly inChunk: Box;
  /** Of the chunk. */
  readonly shape: readonly number[];
  readonly copy: BoxCopy;
}

interface PiecePlace {
  readonly piece: ManifestPiece;
  readonly offset: number;
  readonly firstElement: number;
  readonly endElement: number;
}

/** The pieces of a chunk with their places in the file and in the chunk. */
function piecesOf(chunk: ManifestChunk, elementBytes: number): PiecePlace[] {
  let done = 0;
  return chunk.pieces.map((piece) => {
    const offset = chunk.offset + done;
    const firstElement = done / elementBytes;
    done += piece.bytes;
    return { piece, offset, firstElement, endElement: done / elementBytes };
  });
}

function copyOf(share: Share, { firstElement, endElement }: PiecePlace): PieceCopy[] {
  const start = countBefore(share.inChunk, share.shape, firstElement);
  const end = countBefore(share.inChunk, share.shape, endElement);
  return start === end ? [] : [{ box: share.box, copy: share.copy, start, end }];
}

function grouped(reads: readonly PieceRead[]): PieceGroup[] {
  const groups: PieceGroup[] = [];
  let open: { file: string; offset: number; bytes: number; pieces: PieceRead[] } | undefined;
  for (const read of reads) {
    const { bytes } = read.piece;
    const joins =
      open !== undefined &&
      open.file === read.chunk.file &&
      open.offset + open.bytes === read.offset &&
      open.bytes + bytes <= groupBytesMax;
    if (open !== undefined && joins) {
      open.bytes += bytes;
      open.pieces.push(read);
    } else {
      open = { file: read.chunk.file, offset: read.offset, bytes, pieces: [read] };
      groups.push(open);
    }
  }
  return groups;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
