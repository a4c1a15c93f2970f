import { type CorruptWhere, corrupt } from "../manifest/index.ts";
import { inBounds } from "./in-bounds.ts";
import { type FolderToRead, OpenFiles } from "./open-files.ts";
import { groupBytesMax, type PieceGroup, type PieceRead } from "./plan-read.ts";
import { sha256 } from "./sha256.ts";

/** Bytes and groups that are read, hashed or copied at the same time. */
const windowBytes = 64 * 1024 * 1024;
const groupsAtOnce = 8;

export interface PiecesToRead {
  readonly from: FolderToRead;
  readonly groups: readonly PieceGroup[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads groups of pieces, and hands on every piece that has its hash. The bytes count only during the
 * call; a bounded number of them is in memory.
 *
 * @throws E_CHECKPOINT_CORRUPT naming file, tensor and rule
 */
export async function forEachPiece(
  { from, groups, signal }: PiecesToRead,
  use: (bytes: Uint8Array, read: PieceRead) => void,
): Promise<void> {
  const open = new OpenFiles(from);
  const free: Uint8Array[] = [];
  await inBounds(
    groups,
    async (group) => {
      const buffer = bufferFor(group.bytes, free);
      const bytes = buffer.subarray(0, group.bytes);
      await open.read(group.file, bytes, group.offset);
      const checked = group.pieces.map(async (read) => {
        const at = read.offset - group.offset;
        const piece = bytes.subarray(at, at + read.piece.bytes);
        await verify(piece, read, from.checkpoint);
        use(piece, read);
      });
      await Promise.all(checked);
      if (buffer.length === groupBytesMax) free.push(buffer);
    },
    { bytesOf: ({ bytes }) => bytes, bytesMax: windowBytes, itemsMax: groupsAtOnce, signal },
  );
}

/** Fresh memory costs more than the copy into it, so that large buffers are used again. */
function bufferFor(bytes: number, free: Uint8Array[]): Uint8Array {
  if (bytes < groupBytesMax / 4 || bytes > groupBytesMax) return new Uint8Array(bytes);
  return free.pop() ?? new Uint8Array(groupBytesMax);
}

async function verify(bytes: Uint8Array, read: PieceRead, checkpoint: string): Promise<void> {
  const { offset, piece, chunk, tensor } = read;
  if ((await sha256(bytes)) === piece.sha256) return;
  const where = { checkpoint, file: chunk.file };
  throw wrongPiece(where, { offset, bytes: piece.bytes, tensor });
}

/** The refusal of a piece that has not the hash of the manifest. */
export function wrongPiece(
  where: CorruptWhere,
  about: { readonly offset: number; readonly bytes: number; readonly tensor: string },
) {
  const { offset, bytes, tensor } = about;
  const range = `${offset} to ${offset + bytes - 1}`;
  const problem = `the bytes ${range}, a part of the tensor ${tensor}, do not have the SHA-256 of the manifest`;
  return corrupt(where, "piece-hash", problem, { tensor });
}
