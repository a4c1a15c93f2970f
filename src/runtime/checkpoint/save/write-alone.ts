import { mapConcurrent } from "../../../platform/concurrency/index.ts";
import type { Written } from "./manifest-of.ts";
import { digestBlock } from "./tensor-digest.ts";
import type { WriteContext } from "./write-context.ts";
import { type ShardRecord, writeShard } from "./write-shard.ts";

/** Files that are written at the same time. */
const filesAtOnce = 4;

/** Writes all shards from this process, and takes the digests of the wholes at the same time. */
export async function writeAlone(context: WriteContext): Promise<() => Promise<Written>> {
  const { plan, snapshot, budget } = context;
  const tensors = new Map(snapshot.tensors.map((tensor) => [tensor.name, tensor]));
  const shards = new Map<string, ShardRecord>();
  const digests = new Map<string, string>();
  const writeAll = (signal: AbortSignal) =>
    mapConcurrent(
      plan.files,
      filesAtOnce,
      async (file, inner) => {
        const blockOf = ({ tensor, owner }: { tensor: string; owner: number }) => {
          const from = tensors.get(tensor);
          if (from === undefined) throw new Error(`the plan has a tensor ${tensor} of its own`);
          return from.block(owner);
        };
        shards.set(
          file.name,
          await writeShard({ ...context, plan: file, signal: inner.signal, blockOf }),
        );
      },
      { signal },
    );
  const digestAll = async (signal: AbortSignal) => {
    for (const { name, whole } of snapshot.tensors) {
      digests.set(name, await digestBlock(whole(), { budget, signal }));
    }
  };
  // One that fails stops the other, and both have ended when this does.
  const options = context.signal === undefined ? {} : { signal: context.signal };
  const both: readonly ((signal: AbortSignal) => Promise<unknown>)[] = [writeAll, digestAll];
  await mapConcurrent(both, 2, (work, { signal }) => work(signal), options);
  return () => Promise.resolve({ shards, digests });
}
