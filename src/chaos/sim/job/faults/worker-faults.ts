import type { FaultParams } from "../../../fault/catalogue/index.ts";
import type { PlannedFault } from "../../../plan/index.ts";
import type { MachineHandle } from "../../machines/index.ts";
import type { ApplyFault, FaultWorld } from "../fault-world.ts";
import { killDevice } from "./device-faults.ts";

/** The worker ends and nothing can be started in its place. In this model a closed slot is a device that is not there. */
export const dropRank: ApplyFault = killDevice;
export const failStage: ApplyFault = killDevice;

export const restartWorker: ApplyFault = (world, fault) => {
  const slots = world.slotsOf(fault);
  const { signal } = fault.params as FaultParams<"restart_worker">;
  world.context.effects.injected(fault, { aspect: "process", slots });
  for (const slot of slots) world.processes.end(slot, signal);
  return null;
};

export const freezeWorker: ApplyFault = (world, fault) => {
  const slots = world.slotsOf(fault);
  const { processes, context } = world;
  context.effects.injected(fault, { aspect: "frozen", slots });
  const thaws = slots.map((slot) => processes.freeze(slot));
  return () => {
    for (const thaw of thaws) thaw?.();
  };
};

export const failNode: ApplyFault = (world, fault) => {
  const { machines, effects } = world.context;
  const slots = world.slotsOf(fault);
  effects.injected(fault, { aspect: "process", slots });
  const nodes = [...new Set(slots.map((slot) => machines.layout.nodeOf(slot)))];
  const { repairUs } = world;
  // A loss without an end of its own is repaired as fast as this fleet repairs nodes.
  const repair = fault.durationUs === null && repairUs !== null ? { repairUs } : {};
  const handles = nodes.map((node) => machines.loseNode(node, repair));
  return () => {
    for (const handle of handles) machines.undo(handle);
  };
};

/** A notice; after the grace the slots are taken, with whoever is still there. */
export const preempt: ApplyFault = (world, fault) => {
  const { graceUs } = fault.params as FaultParams<"preempt">;
  const slots = world.slotsOf(fault);
  const { context, processes } = world;
  context.effects.injected(fault, { aspect: "process", slots });
  processes.tell({ type: "preempt-notice", slots, graceUs });
  const taking = takeAfter(world, fault, { graceUs, slots });
  return () => {
    const wereTaken = taking.undo();
    if (!wereTaken) processes.tell({ type: "available", slots });
  };
};

function takeAfter(
  world: FaultWorld,
  fault: PlannedFault,
  { graceUs, slots }: { readonly graceUs: number; readonly slots: readonly number[] },
): { undo(): boolean } {
  const { engine, machines } = world.context;
  let handles: readonly MachineHandle[] | null = null;
  const take = engine.kind(`preempt.take ${fault.id}`, () => {
    handles = slots.map((slot) => machines.killDevice(slot));
  });
  const event = engine.after(graceUs, take);
  return {
    undo: () => {
      engine.cancel(event);
      for (const handle of handles ?? []) machines.undo(handle);
      return handles !== null;
    },
  };
}
