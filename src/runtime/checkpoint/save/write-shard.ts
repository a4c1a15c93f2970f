import { join } from "node:path";
import type { Block } from "../../dist/array/block.ts";
import { dtypeInfo, littleEndian, rawOver } from "../../tensor/dtype/index.ts";
import type { CheckpointFiles, FileWriter } from "../files/index.ts";
import type { ManifestFile, ManifestPiece } from "../manifest/index.ts";
import { sha256 } from "../reshard/index.ts";
import { type ByteBudget, Together } from "./hashing.ts";
import type { PlannedChunk, PlannedFile } from "./plan-save.ts";

/** What was written: for the manifest. */
export interface ShardRecord {
  readonly file: ManifestFile;
  /** In the order of the file's chunks. */
  readonly chunks: readonly { readonly key: string; readonly pieces: readonly ManifestPiece[] }[];
}

export interface WriteShardOptions {
  readonly files: CheckpointFiles;
  readonly folder: string;
  readonly plan: PlannedFile;
  readonly blockOf: (chunk: PlannedChunk) => Block;
  readonly budget: ByteBudget;
  readonly signal?: AbortSignal | undefined;
  /** Names the file in whatever goes wrong with it. */
  readonly inFile: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Disks are kept at work while the rest is hashed: without it, all of a file would wait in memory for
 * the one sync at its end.
 */
const syncEveryBytes = 256 * 2 ** 20;

/** Writes one shard file and makes it durable. Every byte is hashed from the memory it is written from. */
export async function writeShard(options: WriteShardOptions): Promise<ShardRecord> {
  const { files, folder, plan, inFile } = options;
  const file = await inFile(plan.name, () => files.create(join(folder, plan.name)));
  const together = new Together();
  try {
    const hashes = await writePieces(file, together, options);
    await together.finish();
    await inFile(plan.name, () => file.sync());
    const chunks = plan.chunks.map(({ key, pieces }, at) => ({
      key,
      pieces: pieces.map((bytes, piece) => ({ bytes, sha256: hashes[at]?.[piece] ?? "" })),
    }));
    const { name, bytes, header } = plan;
    const headerSha256 = await sha256(header);
    return { file: { name, bytes, headerBytes: header.length, headerSha256 }, chunks };
  } finally {
    // Nothing may still be writing to a file that is closed.
    await together.settled();
    await inFile(plan.name, () => file.close());
  }
}

async function writePieces(
  file: FileWriter,
  together: Together,
  { plan, blockOf, budget, signal, inFile }: WriteShardOptions,
): Promise<readonly string[][]> {
  const write = (bytes: Uint8Array, at: number) => inFile(plan.name, () => file.write(bytes, at));
  await write(plan.header, 0);
  const hashes: string[][] = plan.chunks.map(() => []);
  let unsyncedBytes = 0;
  for (const [number, chunk] of plan.chunks.entries()) {
    const block = blockOf(chunk);
    let done = 0;
    for (const [at, bytes] of chunk.pieces.entries()) {
      signal?.throwIfAborted();
      const loan = await budget.take(bytes);
      const start = done;
      together.start(async () => {
        try {
          const piece = readPiece(block, { start, bytes, buffer: loan.buffer });
          const [hash] = await Promise.all([sha256(piece), write(piece, chunk.offset + start)]);
          (hashes[number] as string[])[at] = hash;
        } finally {
          loan.giveBack();
        }
      });
      done += bytes;
      unsyncedBytes += bytes;
      if (unsyncedBytes < syncEveryBytes) continue;
      unsyncedBytes = 0;
      together.start(() => inFile(plan.name, () => file.sync()));
    }
  }
  return hashes;
}

/** Where some bytes of a block are, and where they go. */
export interface PiecePlace {
  /** In bytes, in the block's own order. */
  readonly start: number;
  readonly bytes: number;
  readonly buffer: ArrayBuffer;
}

/** Some bytes of a block, little-endian, at the beginning of a buffer. */
export function readPiece(block: Block, { start, bytes, buffer }: PiecePlace): Uint8Array {
  const { bytes: width } = dtypeInfo(block.dtype);
  const count = bytes / width;
  const raw = rawOver(block.dtype, { buffer, byteOffset: 0, count });
  block.read(raw, { start: start / width, count, outStart: 0 });
  const piece = new Uint8Array(buffer, 0, bytes);
  if (!littleEndian) swapElements(piece, width);
  return piece;
}

export function swapElements(bytes: Uint8Array, width: number): void {
  for (let start = 0; start < bytes.length; start += width) {
    bytes.subarray(start, start + width).reverse();
  }
}
