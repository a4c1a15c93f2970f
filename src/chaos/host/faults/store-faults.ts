import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { list } from "../../../runtime/checkpoint/index.ts";
import type { FaultParams } from "../../fault/catalogue/index.ts";
import type { PlannedFault } from "../../plan/index.ts";
import type { WorkerOrder } from "../control/messages.ts";
import { nothingToUndo } from "./applied.ts";
import type { ApplyFault, HostControl } from "./host-control.ts";
import { slotsOfFault } from "./targets.ts";

/** All workers write to the same store. */
function onStore(control: HostControl, fault: PlannedFault, order: WorkerOrder) {
  for (let slot = 0; slot < control.slots; slot++) control.order(slot, fault.id, order);
  return { end: async () => control.endOrders(fault.id) };
}

export const slowStorage: ApplyFault = async (control, fault) => {
  const { factor } = fault.params as FaultParams<"slow_storage">;
  return onStore(control, fault, { kind: "slow-files", factor });
};

export const fullStorage: ApplyFault = async (control, fault) => {
  const { freeBytes } = fault.params as FaultParams<"full_storage">;
  const { disk } = control;
  if (disk === null) return onStore(control, fault, { kind: "full-files", freeBytes });
  const { end } = onStore(control, fault, { kind: "watch-room" });
  await disk.fill(fault.id, freeBytes);
  return {
    end: async () => {
      await disk.empty(fault.id);
      await end();
    },
  };
};

export const tornWrite: ApplyFault = async (control, fault) => {
  const { shard, count } = fault.params as FaultParams<"torn_write">;
  return onStore(control, fault, { kind: "torn-file", shard, count });
};

/** A byte in the middle of a shard of the newest checkpoint, straight on the disk. */
export const corruptShard: ApplyFault = async (control, fault) => {
  const { shard } = fault.params as FaultParams<"corrupt_shard">;
  const { root } = control;
  const newest = (await list({ root })).find(({ status }) => status === "committed");
  if (newest === undefined) return nothingToUndo;
  const name = await shardNamed(join(root, newest.name), shard);
  if (name === undefined) return nothingToUndo;
  const file = await open(name, "r+");
  try {
    const { size } = await file.stat();
    const place = Math.floor(size * 0.75);
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, place);
    const wrong = Buffer.from([(byte[0] as number) ^ 1]);
    await file.write(wrong, 0, 1, place);
    await file.sync();
    await file.read(byte, 0, 1, place);
    if (byte[0] === wrong[0]) {
      control.seen(fault.id, `byte ${place} of shard ${shard} of ${newest.name} is another one`);
    }
  } finally {
    await file.close();
  }
  return nothingToUndo;
};

async function shardNamed(folder: string, shard: number): Promise<string | undefined> {
  const pattern = new RegExp(`^shard-0*${shard}-of-\\d+\\.safetensors$`);
  const names = (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name));
  return names[0] === undefined ? undefined : join(folder, names[0]);
}

/** More than the limit leaves: the kernel has to refuse it. */
const requestBytes = 256 * 2 ** 20;

/** The kernel gives the worker no more memory, and the worker asks for some. */
export const outOfMemory: ApplyFault = async (control, fault) => {
  const slots = slotsOfFault(fault, control.fleet);
  const limited = slots.flatMap((slot) => control.identityOf(slot) ?? []);
  for (const { pid } of limited) await control.limitMemory(pid);
  for (const slot of slots) {
    control.order(slot, fault.id, { kind: "allocate", bytes: requestBytes });
    const pid = control.identityOf(slot)?.pid;
    if (pid !== undefined) control.onExit(fault.id, pid);
  }
  return {
    end: async () => {
      control.endOrders(fault.id);
      for (const identity of limited) await control.unlimitMemory(identity);
    },
  };
};
