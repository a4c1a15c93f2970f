import assert from "node:assert/strict";
import type { CudaDType, CudaTensor } from "../../cuda/tensor/index.ts";
import type { Block } from "../../dist/array/block.ts";
import {
  allocateRaw,
  bytesOf,
  type DType,
  dtypeInfo,
  type RawArray,
} from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";

/** Elements in row-major order that are read in pieces, bit for bit. */
export interface Reader {
  readonly size: number;
  /** How the bits are stored: i8 as u8. */
  readonly storage: DType;
  read(out: RawArray, start: number, count: number): void;
}

/** What is in memory at a time, of each version of a tensor. */
const pieceBytes = 1024 * 1024;

export function wholeOfTensor(x: Tensor): Reader {
  return {
    size: x.size,
    storage: x.dtype,
    read: (out, start, count) => x.copyTo(out, { start, count }),
  };
}

export function wholeOfBlock(x: Block): Reader {
  return {
    size: x.size,
    storage: x.dtype,
    read: (out, start, count) => x.read(out, { start, count, outStart: 0 }),
  };
}

/** Downloads each piece when it is read. */
export function wholeOfCuda(x: CudaTensor): Reader {
  const storage = storageOf(x.dtype);
  const { bytes } = dtypeInfo(storage);
  return {
    size: x.size,
    storage,
    read: (out, start, count) => {
      const into = bytesOf(out).subarray(0, count * bytes);
      x.device.stream.download({ buffer: x.buffer, offsetBytes: start * bytes }, into);
    },
  };
}

/** The dtype whose storage has the same bits. */
export function storageOf(dtype: CudaDType): DType {
  return dtype === "i8" ? "u8" : dtype;
}

/** A stretch of several readers, in the order of these. */
export interface Piece {
  readonly start: number;
  readonly count: number;
  readonly raws: readonly RawArray[];
}

/** Walks through readers of one size side by side. What it gives is overwritten by the next. */
export function* piecesOf(readers: readonly Reader[]): Generator<Piece> {
  const [{ size }] = readers as [Reader];
  assert(
    readers.every((one) => one.size === size),
    "readers of one size",
  );
  const widest = Math.max(...readers.map(({ storage }) => dtypeInfo(storage).bytes));
  const perPiece = pieceBytes / widest;
  const raws = readers.map(({ storage }) => allocateRaw(storage, Math.min(size, perPiece)));
  for (let start = 0; start < size; start += perPiece) {
    const count = Math.min(perPiece, size - start);
    for (const [at, reader] of readers.entries()) reader.read(raws[at] as RawArray, start, count);
    yield { start, count, raws };
  }
}

/** True when the first `count` elements have the same bits. */
export function sameRaw(one: RawArray, other: RawArray, count: number): boolean {
  const bytes = count * one.BYTES_PER_ELEMENT;
  return viewOf(one, bytes).equals(viewOf(other, bytes));
}

/** True when both have the same bits everywhere. Ends at the first piece that differs. */
export function sameBits(one: Reader, other: Reader): boolean {
  if (one.size !== other.size || one.storage !== other.storage) return false;
  for (const { raws, count } of piecesOf([one, other])) {
    if (!sameRaw(raws[0] as RawArray, raws[1] as RawArray, count)) return false;
  }
  return true;
}

function viewOf(raw: RawArray, bytes: number): Buffer {
  return Buffer.from(raw.buffer as ArrayBuffer, raw.byteOffset, bytes);
}
