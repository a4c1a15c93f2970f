import type { FaultParams } from "../../fault/catalogue/index.ts";
import type { PlannedFault } from "../../plan/index.ts";
import type { WorkerOrder } from "../control/messages.ts";
import { nothingToUndo } from "./applied.ts";
import type { ApplyFault, HostControl } from "./host-control.ts";
import { slotsOfFault } from "./targets.ts";

/** The device is gone: its worker meets the error at its next operation, and nothing starts there. */
function loseWithError(control: HostControl, fault: PlannedFault, reason: string) {
  const slots = slotsOfFault(fault, control.fleet);
  for (const slot of slots) {
    control.closeSlot(slot, reason, fault.id);
    control.order(slot, fault.id, { kind: "device", mode: "fail", reason });
  }
  return {
    end: async () => {
      control.endOrders(fault.id);
      for (const slot of slots) control.openSlot(slot, fault.id);
    },
  };
}

function orderAll(control: HostControl, fault: PlannedFault, order: WorkerOrder) {
  for (const slot of slotsOfFault(fault, control.fleet)) control.order(slot, fault.id, order);
  return { end: async () => control.endOrders(fault.id) };
}

export const offBus: ApplyFault = async (control, fault) =>
  loseWithError(control, fault, "the GPU has fallen off the bus (XID 79)");

export const eccError: ApplyFault = async (control, fault) => {
  const { xid } = fault.params as FaultParams<"ecc_error">;
  if (xid !== 94) {
    return loseWithError(control, fault, `an uncorrectable memory error (XID ${xid})`);
  }
  const reason = "a contained memory error (XID 94)";
  orderAll(control, fault, { kind: "device", mode: "fail", reason });
  return nothingToUndo;
};

export const rowRemap: ApplyFault = async (control, fault) => {
  const { failed } = fault.params as FaultParams<"row_remap">;
  if (failed) return loseWithError(control, fault, "no row is left to remap to (XID 64)");
  orderAll(control, fault, { kind: "device", mode: "report", reason: "a remapped row (XID 63)" });
  return nothingToUndo;
};

const hang = { kind: "device", mode: "hang" } as const;

export const hangDevice: ApplyFault = async (control, fault) =>
  orderAll(control, fault, { ...hang, reason: "the device does not finish its work (XID 43)" });

export const gspError: ApplyFault = async (control, fault) => {
  const { xid } = fault.params as FaultParams<"gsp_error">;
  if (xid === 120) {
    return loseWithError(control, fault, "the GPU's system processor failed (XID 120)");
  }
  const reason = "the GPU's system processor does not answer (XID 119)";
  return orderAll(control, fault, { ...hang, reason });
};

export const straggler: ApplyFault = async (control, fault) => {
  const { factor } = fault.params as FaultParams<"straggler">;
  return orderAll(control, fault, { kind: "straggle", factor });
};

/** What one of the ranks hands to the next sums is wrong: the first of them, as one message would be. */
export const corruptCollective: ApplyFault = async (control, fault) => {
  const { element, bit, count } = fault.params as FaultParams<"corrupt_collective">;
  const [slot] = slotsOfFault(fault, control.fleet);
  const bits = { first: element, stride: 0, count: 1, bit };
  const order = { kind: "corrupt", where: "gradient", times: count, bits } as const;
  if (slot !== undefined) control.order(slot, fault.id, order);
  return { end: async () => control.endOrders(fault.id) };
};

export const bitFlip: ApplyFault = async (control, fault) => {
  const { element, bit, where } = fault.params as FaultParams<"bit_flip">;
  const bits = { first: element, stride: 0, count: 1, bit };
  orderAll(control, fault, { kind: "corrupt", where, times: 1, bits });
  return nothingToUndo;
};

export const notANumber: ApplyFault = async (control, fault) => {
  const { element, where } = fault.params as FaultParams<"not_a_number">;
  const bits = { first: element, stride: 0, count: 1, bit: "nan" } as const;
  orderAll(control, fault, { kind: "corrupt", where, times: 1, bits });
  return nothingToUndo;
};

export const stridedCorruption: ApplyFault = async (control, fault) => {
  const { element, stride, count, bit, where } = fault.params as FaultParams<"strided_corruption">;
  orderAll(control, fault, {
    kind: "corrupt",
    where,
    times: 1,
    bits: { first: element, stride, count, bit },
  });
  return nothingToUndo;
};
