import type { FaultParams } from "../../../fault/catalogue/index.ts";
import type { PlannedFault } from "../../../plan/index.ts";
import type { StorageEffect } from "../../storage/index.ts";
import type { Aspect } from "../effect-book.ts";
import type { ApplyFault, FaultWorld } from "../fault-world.ts";

function onStore(
  { context }: FaultWorld,
  fault: PlannedFault,
  options: { readonly effect: StorageEffect; readonly aspect: Aspect },
): () => void {
  context.effects.injected(fault, { aspect: options.aspect });
  const handle = context.storage.apply(options.effect);
  return () => {
    context.storage.undo(handle);
  };
}

export const slowStorage: ApplyFault = (world, fault) => {
  const { factor } = fault.params as FaultParams<"slow_storage">;
  return onStore(world, fault, { effect: { kind: "slow", factor }, aspect: "store-time" });
};

export const fullStorage: ApplyFault = (world, fault) => {
  const { freeBytes } = fault.params as FaultParams<"full_storage">;
  const bytes = Math.max(0, world.context.storage.freeBytes - freeBytes);
  return onStore(world, fault, { effect: { kind: "full", bytes }, aspect: "store-room" });
};

export const tornWrite: ApplyFault = (world, fault) => {
  const { shard, count } = fault.params as FaultParams<"torn_write">;
  const effect: StorageEffect = { kind: "tear", shards: [shard], count };
  return onStore(world, fault, { effect, aspect: "store-content" });
};

/** Over at once: what is spoilt stays spoilt, until the run is over and everything is put right. */
export const corruptShard: ApplyFault = (world, fault) => {
  const { shard } = fault.params as FaultParams<"corrupt_shard">;
  const { storage, effects } = world.context;
  const newest = storage.list()[0];
  const undo = onStore(world, fault, {
    effect: { kind: "corrupt", shard },
    aspect: "store-content",
  });
  if (newest !== undefined && storage.verify(newest.tag, shard) === "corrupt") {
    effects.sawFault(fault.id, "store-content", `shard ${shard} of ${newest.tag} has wrong bits`);
  }
  return undo;
};
