import { createHash } from "node:crypto";
import { join } from "node:path";
import { readSmallFile, writeSmallFile } from "../files/index.ts";
import { parseStrictJson } from "../manifest/index.ts";
import type { Crew } from "./crew.ts";
import type { Written } from "./manifest-of.ts";
import type { PlannedTensor } from "./plan-save.ts";
import {
  hashSharedLeaves,
  knownWhole,
  type SharedContext,
  type SharedLeaf,
} from "./shared-leaves.ts";
import { leafRanges, rootOf } from "./tensor-digest.ts";
import { type ShardRecord, writeShard } from "./write-shard.ts";

export interface TogetherContext extends SharedContext {
  readonly crew: Crew;
}

/** What one rank has done, left for the lead in a file: too much for a message. */
interface RankRecord {
  readonly shards: readonly ShardRecord[];
  /** Hashes of leaves of tensors, with their number. */
  readonly leaves: readonly SharedLeaf[];
}

const recordBytesMax = 512 * 2 ** 20;

/**
 * Writes this rank's shard, then its share of the digests: a leaf of the whole may lie on several
 * ranks, and what others hold is read from the files they have written.
 *
 * @returns how the lead collects what all have written
 */
export async function writeTogether(context: TogetherContext): Promise<() => Promise<Written>> {
  const { crew, plan, rank, snapshot, folder, files, inFile } = context;
  const tensors = new Map(snapshot.tensors.map((tensor) => [tensor.name, tensor]));
  const shards: ShardRecord[] = [];
  await crew.agree("the shards of a checkpoint", async () => {
    for (const file of plan.files) {
      if (file.owner !== rank) continue;
      const blockOf = ({ tensor }: { tensor: string }) => {
        const from = tensors.get(tensor);
        if (from === undefined) throw new Error(`the plan has a tensor ${tensor} of its own`);
        return from.block(rank);
      };
      shards.push(await writeShard({ ...context, plan: file, blockOf }));
    }
  });
  const hashes = await crew.agree("the digests of a checkpoint", async () => {
    const leaves = await hashSharedLeaves(context);
    const bytes = new TextEncoder().encode(JSON.stringify({ shards, leaves }));
    const name = recordName(rank);
    await inFile(name, () => writeSmallFile(files, join(folder, name), bytes));
    return createHash("sha256").update(bytes).digest("hex");
  });
  return () => collect(context, hashes);
}

function recordName(rank: number): string {
  return `.record-${rank}.json`;
}

/** Reads what all ranks have written down, and takes it out of the folder. */
async function collect(context: TogetherContext, hashes: readonly string[]): Promise<Written> {
  const { files, folder, plan, inFile, known } = context;
  const shards = new Map<string, ShardRecord>();
  const leaves = new Map<string, string[]>();
  for (const [rank, hash] of hashes.entries()) {
    const name = recordName(rank);
    const record = await inFile(name, async () => {
      const bytes = await readSmallFile(files, join(folder, name), { bytesMax: recordBytesMax });
      if (createHash("sha256").update(bytes).digest("hex") !== hash) {
        throw new Error(`it is not what rank ${rank} has written`);
      }
      await files.remove(join(folder, name));
      return parseStrictJson(bytes) as RankRecord;
    });
    for (const shard of record.shards) shards.set(shard.file.name, shard);
    for (const { tensor, leaf, sha256 } of record.leaves) {
      const list = leaves.get(tensor) ?? [];
      leaves.set(tensor, list);
      list[leaf] = sha256;
    }
  }
  const digests = new Map(
    plan.tensors.map((tensor) => {
      const { name } = tensor;
      return [name, knownWhole(tensor, known) ?? digestFrom(tensor, leaves.get(name) ?? [])];
    }),
  );
  return { shards, digests };
}

function digestFrom({ name, dtype, shape }: PlannedTensor, leaves: readonly string[]): string {
  const wanted = [...leafRanges(dtype, shape)].length;
  const there = leaves.filter((leaf) => leaf !== undefined).length;
  if (there !== wanted) throw new Error(`${there} of ${wanted} hashes of ${name} came`);
  return rootOf(dtype, shape, leaves);
}
