import { join } from "node:path";
import { bytesOf, littleEndian } from "../../tensor/dtype/index.ts";
import type { OwnDigests } from "./agree-on-state.ts";
import { Together } from "./hashing.ts";
import { type Elsewhere, LeafParts } from "./leaf-parts.ts";
import type { PlannedTensor } from "./plan-save.ts";
import type { SnapshotTensor } from "./snapshot.ts";
import { LeafBuffer, type LeafRange, leafMemory, leafRanges } from "./tensor-digest.ts";
import type { WriteContext } from "./write-context.ts";
import { swapElements } from "./write-shard.ts";

/** The hash of one leaf of a tensor's digest. */
export interface SharedLeaf {
  readonly tensor: string;
  readonly leaf: number;
  readonly sha256: string;
}

export interface SharedContext extends WriteContext {
  readonly rank: number;
  /** Digests of replicas, taken before. */
  readonly known: OwnDigests;
}

/**
 * The leaves that this rank hashes: those whose first element is in a chunk that it has written. What
 * it holds itself comes from memory, the rest from the other ranks' files.
 */
export async function hashSharedLeaves(context: SharedContext): Promise<readonly SharedLeaf[]> {
  const { plan, snapshot, known, signal, rank, budget } = context;
  const hashes: SharedLeaf[] = [];
  const together = new Together();
  try {
    for (const [at, tensor] of plan.tensors.entries()) {
      if (tensor.chunks.length === 0 || knownWhole(tensor, known) !== undefined) continue;
      const parts = new LeafParts(tensor, snapshot.tensors[at] as SnapshotTensor, rank);
      for (const [leaf, range] of [...leafRanges(tensor.dtype, tensor.shape)].entries()) {
        signal?.throwIfAborted();
        if (parts.ownerOf(range.start) !== rank) continue;
        const loan = await budget.take(leafMemory(tensor.dtype, range));
        together.start(async () => {
          try {
            const sha256 = await hashLeaf(context, parts, range, loan.buffer);
            hashes.push({ tensor: tensor.name, leaf, sha256 });
          } finally {
            loan.giveBack();
          }
        });
      }
    }
    await together.finish();
    return hashes;
  } finally {
    await together.settled();
  }
}

/** The digest that was taken to compare replicas, when they are of the whole. */
export function knownWhole({ name, chunks }: PlannedTensor, known: OwnDigests): string | undefined {
  return chunks.length === 1 ? known.get(name) : undefined;
}

async function hashLeaf(
  context: SharedContext,
  parts: LeafParts,
  range: LeafRange,
  buffer: ArrayBuffer,
): Promise<string> {
  const leaf = new LeafBuffer(parts.dtype, range, buffer);
  const { raw } = leaf;
  for (const [file, missing] of parts.read(raw, range)) {
    await fill(context, bytesOf(raw), { file, missing, width: parts.width });
  }
  return leaf.hash();
}

/** Neighbours in the whole are neighbours in the chunk, so that one read brings all of them. */
async function fill(
  { files, folder, inFile }: SharedContext,
  out: Uint8Array,
  about: { readonly file: string; readonly missing: readonly Elsewhere[]; readonly width: number },
): Promise<void> {
  const { file, missing, width } = about;
  const first = missing.reduce((least, { start }) => Math.min(least, start), Infinity);
  const end = missing.reduce((most, { start, count }) => Math.max(most, start + count), 0);
  const bytes = new Uint8Array((end - first) * width);
  const offset = (missing[0]?.chunk.offset ?? 0) + first * width;
  await inFile(file, async () => {
    const reader = await files.open(join(folder, file));
    try {
      const there = await reader.read(bytes, offset);
      if (there < bytes.length) throw new Error(`it ends before byte ${offset + bytes.length}`);
    } finally {
      await reader.close();
    }
  });
  if (!littleEndian) swapElements(bytes, width);
  for (const { start, count, outStart } of missing) {
    const from = (start - first) * width;
    out.set(bytes.subarray(from, from + count * width), outStart * width);
  }
}
