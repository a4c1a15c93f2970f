import assert from "node:assert/strict";
import type { RawArray } from "../../tensor/dtype/index.ts";
import { bitsOf, dtypeInfo, littleEndian } from "../../tensor/dtype/index.ts";
import { type Bits, copyRange } from "./box-copy.ts";
import { forEachPiece } from "./for-each-piece.ts";
import type { FolderToRead } from "./open-files.ts";
import type { PieceRead, ReadPlan, WantedTensor } from "./plan-read.ts";

export interface ReadPieces {
  readonly from: FolderToRead;
  readonly wanted: readonly WantedTensor[];
  readonly plan: ReadPlan;
  /** Storage by wanted tensor and box; what is in it counts only once the call has resolved. */
  readonly storage: readonly (readonly RawArray[])[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads what a plan says, and fills storage with it. Every piece is verified before a byte of it is used.
 *
 * @throws E_CHECKPOINT_CORRUPT naming file, tensor and rule
 */
export async function readPieces(reading: ReadPieces): Promise<void> {
  assert(littleEndian, "files are little-endian, and so is every machine that Node runs on");
  const { from, plan, signal } = reading;
  await forEachPiece({ from, groups: plan.groups, signal }, (bytes, read) =>
    scatter(bytes, read, reading),
  );
}

function scatter(bytes: Uint8Array, read: PieceRead, { wanted, storage }: ReadPieces): void {
  const { dtype } = (wanted[read.wanted] as WantedTensor).tensor;
  const elementBytes = dtypeInfo(dtype).bytes;
  const from = bitsIn(bytes, elementBytes);
  for (const { box, copy, start, end } of read.copies) {
    const to = bitsOf(storage[read.wanted]?.[box] as RawArray);
    const width = elementBytes === 8 ? 2 : 1;
    copyRange(copy, { start, end, from, fromFirst: read.firstElement, to, width });
  }
}

/** Bytes of a file as whole numbers; copied where they do not lie at a multiple of an element's size. */
export function bitsIn(bytes: Uint8Array, elementBytes: number): Bits {
  if (elementBytes === 1) return bytes;
  const { buffer, byteOffset, length } =
    bytes.byteOffset % elementBytes === 0 ? bytes : bytes.slice();
  return elementBytes === 2
    ? new Uint16Array(buffer, byteOffset, length / 2)
    : new Uint32Array(buffer, byteOffset, length / 4);
}
