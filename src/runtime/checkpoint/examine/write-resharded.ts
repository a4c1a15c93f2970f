import { join } from "node:path";
import type { CheckpointFiles, FileWriter } from "../files/index.ts";
import type { Manifest, ManifestTensor } from "../manifest/index.ts";
import {
  bitsIn,
  boxCopy,
  ChunkIndex,
  copyRange,
  inBounds,
  type Meeting,
  type OpenFiles,
  PieceHashes,
  sha256,
  shapeOfBox,
  sizeOfBox,
  wholeBox,
} from "../reshard/index.ts";
import type {
  InFile,
  PlannedChunk,
  PlannedFile,
  PlannedTensor,
  SavePlan,
  ShardRecord,
} from "../save/index.ts";
import { type Band, partsAtOnce, readInOrder, storedTensor } from "./stored-tensor.ts";
import { StreamDigest } from "./stream-digest.ts";
import { throwDamage } from "./tensor-problems.ts";

export interface WriteResharded {
  readonly source: { readonly open: OpenFiles; readonly manifest: Manifest };
  readonly plan: SavePlan;
  readonly files: CheckpointFiles;
  /** The folder to write to. */
  readonly folder: string;
  readonly inFile: InFile;
  readonly bandBytes: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Resharded {
  /** By file name. */
  readonly shards: ReadonlyMap<string, ShardRecord>;
  readonly readBytes: number;
}

/** Files that are open for writing at the same time: for more of them the source is read again. */
const filesAtOnce = 256;

/**
 * Writes the shards of a plan from the shards of another one. Tensors come by a band of rows at a time,
 * which is cut into what each new chunk has of it: never more than a few bands are in memory, however
 * large the state is. Every tensor that was read had its digest.
 *
 * @throws E_CHECKPOINT_CORRUPT naming the file, E_CHECKPOINT_WRITE
 */
export async function writeResharded(writing: WriteResharded): Promise<Resharded> {
  const { files } = writing.plan;
  const shards = new Map<string, ShardRecord>();
  let readBytes = 0;
  for (let start = 0; start < files.length; start += filesAtOnce) {
    const group = files.slice(start, start + filesAtOnce);
    readBytes += await writeGroup(group, writing, shards);
  }
  return { shards, readBytes };
}

async function writeGroup(
  group: readonly PlannedFile[],
  writing: WriteResharded,
  shards: Map<string, ShardRecord>,
): Promise<number> {
  const { plan, source, files, folder, inFile } = writing;
  const writers = new Map<string, FileWriter>();
  const hashes = new Map<string, readonly string[]>();
  let readBytes = 0;
  try {
    for (const { name, header } of group) {
      const writer = await inFile(name, () => files.create(join(folder, name)));
      writers.set(name, writer);
      await inFile(name, () => writer.write(header, 0));
    }
    for (const [at, tensor] of plan.tensors.entries()) {
      const chunks = tensor.chunks.filter(({ file }) => writers.has(file));
      const from = source.manifest.tensors[at];
      if (chunks.length === 0 || from === undefined) continue;
      const taken = await writeTensor({ ...tensor, chunks }, from, { ...writing, writers });
      for (const [key, pieces] of taken) hashes.set(key, pieces);
      readBytes += from.chunks.reduce((sum, { bytes }) => sum + bytes, 0);
    }
    for (const file of group) {
      await inFile(file.name, async () => writers.get(file.name)?.sync());
      shards.set(file.name, await recordOf(file, hashes));
    }
  } finally {
    for (const [name, writer] of writers) await inFile(name, () => writer.close());
  }
  return readBytes;
}

/** @returns the hashes of every chunk's pieces, by the chunk's key */
async function writeTensor(
  { chunks }: PlannedTensor,
  from: ManifestTensor,
  writing: WriteResharded & { readonly writers: ReadonlyMap<string, FileWriter> },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { source, writers, inFile, bandBytes, signal } = writing;
  const stored = storedTensor(from);
  const index = new ChunkIndex(
    from.shape.length,
    chunks.map(({ box }) => box),
  );
  const hashes = chunks.map(({ pieces }) => new PieceHashes(pieces));
  const done = chunks.map(() => 0);
  const digest = new StreamDigest(from.dtype, from.shape);
  for await (const band of readInOrder(stored, source.open, { bandBytes })) {
    signal?.throwIfAborted();
    await digest.add(band.bytes);
    const write = async ({ index: at, common }: Meeting) => {
      const { file, offset } = chunks[at] as PlannedChunk;
      const run = cutFrom(band, common.inB, stored.elementBytes);
      // Bands come in row-major order, so that each goes on where the last one of the chunk ended.
      const position = offset + (done[at] as number);
      done[at] = (done[at] as number) + run.length;
      const written = inFile(file, async () => writers.get(file)?.write(run, position));
      await Promise.all([written, hashes[at]?.add(run)]);
    };
    const bytesOf = ({ common }: Meeting) => sizeOfBox(common.inB) * stored.elementBytes;
    const bounds = { bytesOf, bytesMax: band.bytes.length, itemsMax: partsAtOnce };
    await inBounds(index.meetings(band.box), write, bounds);
  }
  if ((await digest.digest()) !== from.digest) await throwDamage(from, source.open);
  return new Map(chunks.map(({ key }, at) => [key, hashes[at]?.all() ?? []]));
}

/** Some elements of a band, one after the other. */
function cutFrom({ box, bytes }: Band, part: Band["box"], elementBytes: number): Uint8Array {
  const count = sizeOfBox(part);
  if (count * elementBytes === bytes.length) return bytes;
  const run = new Uint8Array(count * elementBytes);
  const shape = shapeOfBox(part);
  const copy = boxCopy({ shape: shapeOfBox(box), box: part }, { shape, box: wholeBox(shape) });
  const [from, to] = [bitsIn(bytes, elementBytes), bitsIn(run, elementBytes)];
  const width = elementBytes === 8 ? 2 : 1;
  copyRange(copy, { start: 0, end: count, from, fromFirst: 0, to, width });
  return run;
}

async function recordOf(
  { name, bytes, header, chunks }: PlannedFile,
  hashes: ReadonlyMap<string, readonly string[]>,
): Promise<ShardRecord> {
  const file = { name, bytes, headerBytes: header.length, headerSha256: await sha256(header) };
  return {
    file,
    chunks: chunks.map(({ key, pieces }) => {
      const taken = hashes.get(key) ?? [];
      return {
        key,
        pieces: pieces.map((length, at) => ({ bytes: length, sha256: taken[at] ?? "" })),
      };
    }),
  };
}
