import type { Slot } from "../../../../src/chaos/elastic/index.ts";
import type { TinyWorld } from "./tiny-world.ts";

export const tinyFaults = [
  "kill",
  "device",
  "node",
  "freeze",
  "hang",
  "cut",
  "corrupt",
  "tear",
  "full",
  "preempt",
  "operator",
] as const;
export type TinyFault = (typeof tinyFaults)[number];

/** When faults stop and all that can be mended is. */
const healedUs = 150_000;

/** Breaks things at random moments; everything but what is dead for good is well again after a while. */
export function breakThings(world: TinyWorld, faults: readonly TinyFault[], count: number): void {
  const { dice, queue } = world;
  for (let nth = 0; nth < count; nth++) {
    const fault = dice.pick(faults);
    const slot = dice.int(world.setup.coordinator.slots);
    // Most while the job is at work for the first time, the others into its recoveries.
    const atUs = dice.int(dice.chance(0.6) ? 25_000 : 100_000);
    const durationUs = dice.pick([500, 5000, 20_000, 50_000]);
    queue.at(atUs, () => {
      hit(world, fault, { slot, durationUs });
      world.check();
    });
  }
  queue.at(healedUs, () => {
    for (const slot of world.absent) back(world, slot);
  });
}

/** One fault, now. */
export function hit(
  world: TinyWorld,
  fault: TinyFault,
  { slot, durationUs }: { readonly slot: Slot; readonly durationUs: number },
): void {
  const { queue } = world;
  const process = world.processes.get(slot);
  const untilUs = queue.nowUs + durationUs;
  switch (fault) {
    case "kill":
      if (process !== undefined) world.die(process, "SIGKILL");
      return;
    case "device":
      leave(world, [slot], durationUs);
      return;
    case "node": {
      const node = Math.floor(slot / world.setup.coordinator.slotsPerNode);
      leave(world, slotsOf(world, node), durationUs);
      world.tell({ type: "node-lost", node });
      return;
    }
    case "freeze":
      if (process !== undefined)
        process.frozenUntilUs = world.dice.chance(0.3) ? Infinity : untilUs;
      return;
    case "hang":
      if (process !== undefined) process.hungUntilUs = world.dice.chance(0.3) ? Infinity : untilUs;
      return;
    case "cut":
      world.cutUntilUs.set(slot, untilUs);
      return;
    case "corrupt":
      // Who is alone has nobody to compare with.
      if (process?.worker.phase !== "training" || process.peers === 1) return;
      process.corruption = 1 + slot;
      return;
    case "tear": {
      const tag = world.dice.pick([...world.storage.keys()]) as string | undefined;
      const found = tag === undefined ? undefined : world.storage.get(tag);
      if (found !== undefined) found.isTorn = true;
      return;
    }
    case "full":
      world.storageFailsUntilUs = untilUs;
      return;
    case "preempt":
      world.tell({ type: "preempt-notice", slots: [slot], graceUs: durationUs });
      queue.at(untilUs, () => leave(world, [slot], 10_000));
      return;
    case "operator":
      world.tell({ type: "operator", action: "resume" });
  }
}

function leave(world: TinyWorld, slots: readonly Slot[], durationUs: number): void {
  for (const slot of slots) {
    world.absent.add(slot);
    const process = world.processes.get(slot);
    if (process !== undefined) world.die(process, "the device is gone");
    world.queue.after(durationUs, () => back(world, slot));
  }
}

function back(world: TinyWorld, slot: Slot): void {
  if (world.absent.delete(slot)) world.tell({ type: "available", slots: [slot] });
}

function slotsOf(world: TinyWorld, node: number): readonly Slot[] {
  const { slots, slotsPerNode } = world.setup.coordinator;
  const all = Array.from({ length: slotsPerNode }, (_, at) => node * slotsPerNode + at);
  return all.filter((slot) => slot < slots);
}
