import type { FaultParams } from "../../../fault/catalogue/index.ts";
import type { PlannedFault } from "../../../plan/index.ts";
import type { MachineHandle } from "../../machines/index.ts";
import type { Aspect } from "../effect-book.ts";
import type { ApplyFault, FaultWorld } from "../fault-world.ts";

/** Does something to the device of each slot, and takes all of it back. */
export function onDevices(
  world: FaultWorld,
  slots: readonly number[],
  act: (slot: number) => MachineHandle,
): () => void {
  const handles = slots.map(act);
  return () => {
    for (const handle of handles) world.context.machines.undo(handle);
  };
}

export const killDevice: ApplyFault = (world, fault) => {
  const slots = world.slotsOf(fault);
  world.context.effects.injected(fault, { aspect: "process", slots });
  return onDevices(world, slots, (slot) => world.context.machines.killDevice(slot));
};

/** The device is dead, and its worker meets an error before anybody tells it. */
function lostWithError(world: FaultWorld, slots: readonly number[], reason: string): () => void {
  return onDevices(world, slots, (slot) => {
    world.processes.diesWithError(slot, reason);
    const handle = world.context.machines.killDevice(slot);
    world.processes.deviceFails(slot, reason);
    return handle;
  });
}

export const offBus: ApplyFault = (world, fault) => {
  const slots = world.slotsOf(fault);
  world.context.effects.injected(fault, { aspect: "process", slots });
  return lostWithError(world, slots, "the GPU has fallen off the bus (XID 79)");
};

export const eccError: ApplyFault = (world, fault) => {
  const { xid } = fault.params as FaultParams<"ecc_error">;
  const slots = world.slotsOf(fault);
  world.context.effects.injected(fault, { aspect: "process", slots });
  if (xid !== 94) {
    return lostWithError(world, slots, `an uncorrectable memory error (XID ${xid})`);
  }
  for (const slot of slots) world.processes.deviceFails(slot, "a contained memory error (XID 94)");
  return null;
};

export const rowRemap: ApplyFault = (world, fault) => {
  const { failed } = fault.params as FaultParams<"row_remap">;
  const slots = world.slotsOf(fault);
  const { effects } = world.context;
  effects.injected(fault, { aspect: "process", slots });
  if (failed) return lostWithError(world, slots, "no row is left to remap to (XID 64)");
  for (const slot of slots) {
    if (!world.processes.isIn(slot)) continue;
    effects.saw("process", slot, `the worker in slot ${slot} reports a remapped row (XID 63)`);
  }
  return null;
};

export const gspError: ApplyFault = (world, fault) => {
  const { xid } = fault.params as FaultParams<"gsp_error">;
  if (xid === 119) return hangDevice(world, fault);
  const slots = world.slotsOf(fault);
  world.context.effects.injected(fault, { aspect: "process", slots });
  return lostWithError(world, slots, "the GPU's system processor failed (XID 120)");
};

export const hangDevice: ApplyFault = (world, fault) => {
  const slots = world.slotsOf(fault);
  world.context.effects.injected(fault, { aspect: "hang", slots });
  return onDevices(world, slots, (slot) => world.context.machines.hangDevice(slot));
};

export const straggler: ApplyFault = (world, fault) => {
  const { factor } = fault.params as FaultParams<"straggler">;
  const slots = world.slotsOf(fault);
  world.context.effects.injected(fault, { aspect: "pace", slots });
  return onDevices(world, slots, (slot) => world.context.machines.slowDevice(slot, factor));
};

export const outOfMemory: ApplyFault = (world, fault) => {
  const { machines } = world.context;
  return onMemory(world, fault, {
    aspect: "memory",
    act: (slot) => machines.takeMemory(slot, machines.memoryOf(slot).capacityBytes),
  });
};

export const fragmentMemory: ApplyFault = (world, fault) => {
  const { gapBytes } = fault.params as FaultParams<"fragment_memory">;
  return onMemory(world, fault, {
    aspect: "memory-split",
    act: (slot) => world.context.machines.fragmentMemory(slot, gapBytes),
  });
};

function onMemory(
  world: FaultWorld,
  fault: PlannedFault,
  { aspect, act }: { readonly aspect: Aspect; readonly act: (slot: number) => MachineHandle },
): () => void {
  const slots = world.slotsOf(fault);
  const { hits, context } = world;
  context.effects.injected(fault, { aspect, slots });
  for (const slot of slots) hits.disturbMemory(slot, 1);
  const undo = onDevices(world, slots, act);
  return () => {
    for (const slot of slots) hits.disturbMemory(slot, -1);
    undo();
  };
}
