import type { FaultParams } from "../../fault/catalogue/index.ts";
import type { PlannedFault } from "../../plan/index.ts";
import { lookAtProcess } from "../../processes/index.ts";
import type { ApplyFault, HostControl } from "./host-control.ts";
import { slotsOfFault } from "./targets.ts";

/** Kills the workers of all targets at once, after their slots are closed. */
export const killAndClose: ApplyFault = async (control, fault) => {
  const slots = slotsOfFault(fault, control.fleet);
  for (const slot of slots) control.closeSlot(slot, `${fault.fault} of slot ${slot}`, fault.id);
  for (const slot of slots) kill(control, fault, slot, "SIGKILL");
  return { end: async () => open(control, fault, slots) };
};

export const restartWorker: ApplyFault = async (control, fault) => {
  const { signal } = fault.params as FaultParams<"restart_worker">;
  for (const slot of slotsOfFault(fault, control.fleet)) kill(control, fault, slot, signal);
  return { end: null };
};

export const freezeWorker: ApplyFault = async (control, fault) => {
  const slots = slotsOfFault(fault, control.fleet);
  const stopped = slots.flatMap((slot) => control.identityOf(slot) ?? []);
  for (const slot of slots) {
    const pid = control.signal(slot, "SIGSTOP");
    if (pid !== undefined) void watchStop(control, fault.id, pid);
  }
  return {
    end: async () => {
      for (const { pid, startTicks } of stopped) {
        const seen = await lookAtProcess(pid);
        if (seen?.startTicks === startTicks && seen?.state === "T") process.kill(pid, "SIGCONT");
      }
    },
  };
};

/** A notice by SIGTERM; after the grace the slots are taken, with whoever is still there. */
export const preempt: ApplyFault = async (control, fault) => {
  const { graceUs } = fault.params as FaultParams<"preempt">;
  const slots = slotsOfFault(fault, control.fleet);
  for (const slot of slots) control.closeSlot(slot, `slot ${slot} is preempted`, fault.id);
  control.notice(slots, graceUs);
  for (const slot of slots) {
    const pid = control.signal(slot, "SIGTERM");
    if (pid !== undefined) control.onExit(fault.id, pid);
  }
  const taking = control.after(graceUs, () => {
    for (const slot of slots) control.signal(slot, "SIGKILL");
  });
  return {
    end: async () => {
      taking.cancel();
      open(control, fault, slots);
    },
  };
};

function kill(
  control: HostControl,
  { id }: PlannedFault,
  slot: number,
  signal: NodeJS.Signals,
): void {
  const pid = control.signal(slot, signal);
  if (pid !== undefined) control.onExit(id, pid);
}

function open(control: HostControl, { id }: PlannedFault, slots: readonly number[]): void {
  for (const slot of slots) control.openSlot(slot, id);
}

const looksMax = 200;

/** The kernel's own word that a process stands still. */
async function watchStop(control: HostControl, injection: string, pid: number): Promise<void> {
  for (let look = 0; look < looksMax; look++) {
    const seen = await lookAtProcess(pid);
    if (seen === undefined) return;
    if (seen.state === "T") {
      control.seen(injection, `the kernel lists process ${pid} as stopped`);
      return;
    }
    await new Promise<void>((resolve) => {
      control.after(5000, resolve);
    });
  }
}
