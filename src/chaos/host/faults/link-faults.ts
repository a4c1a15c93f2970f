import type { FaultParams } from "../../fault/catalogue/index.ts";
import type { PlannedFault } from "../../plan/index.ts";
import type { LinkEffect, MessageRule } from "../proxy/link-effect.ts";
import type { Direction } from "../proxy/link-proxy.ts";
import type { ApplyFault, HostControl } from "./host-control.ts";
import { directionsOf, nodeDirectionsOf, slotsOfFault } from "./targets.ts";

async function onLinks(
  control: HostControl,
  fault: PlannedFault,
  {
    effect,
    directions,
  }: { readonly effect: LinkEffect; readonly directions?: readonly Direction[] },
) {
  const { links, fleet } = control;
  await links.begin(fault.id, effect, directions ?? directionsOf(fault, fleet));
  return { end: () => links.end(fault.id) };
}

export const partition: ApplyFault = (control, fault) =>
  onLinks(control, fault, { effect: { kind: "cut" } });

export const networkLatency: ApplyFault = (control, fault) => {
  const { latencyUs, jitterUs } = fault.params as FaultParams<"network_latency">;
  return onLinks(control, fault, { effect: { kind: "delay", latencyUs, jitterUs } });
};

export const packetLoss: ApplyFault = (control, fault) => {
  const { share } = fault.params as FaultParams<"packet_loss">;
  return onLinks(control, fault, { effect: { kind: "loss", share } });
};

export const bandwidthCap: ApplyFault = (control, fault) => {
  const { bytesPerSecond } = fault.params as FaultParams<"bandwidth_cap">;
  return onLinks(control, fault, { effect: { kind: "cap", bytesPerSecond } });
};

export const linkFlap: ApplyFault = (control, fault) => {
  const { downUs, upUs } = fault.params as FaultParams<"link_flap">;
  return onLinks(control, fault, { effect: { kind: "flap", downUs, upUs } });
};

export const nvlinkError: ApplyFault = (control, fault) => {
  const { state, factor } = fault.params as FaultParams<"nvlink_error">;
  const effect: LinkEffect = state === "down" ? { kind: "cut" } : { kind: "slow", factor };
  return onLinks(control, fault, { effect, directions: nodeDirectionsOf(fault, control.fleet) });
};

const plainRule = { share: 1, delayUs: 0 };

/** The next exchanges of a group, or all of a rank with others. */
function onMessages(control: HostControl, fault: PlannedFault, rule: MessageRule) {
  const slots = new Set(slotsOfFault(fault, control.fleet));
  const isGroup = fault.targets.some(({ kind }) => kind === "group");
  const all = Array.from({ length: control.slots }, (_, slot) => slot);
  const directions = all.flatMap((from) =>
    all
      .filter((to) => {
        if (from === to) return false;
        return isGroup ? slots.has(from) && slots.has(to) : slots.has(from) || slots.has(to);
      })
      .map((to) => ({ from, to })),
  );
  return onLinks(control, fault, { effect: { kind: "messages", rule }, directions });
}

export const dropCollective: ApplyFault = (control, fault) => {
  const { count, share } = fault.params as FaultParams<"drop_collective">;
  return onMessages(control, fault, { ...plainRule, action: "drop", count, share });
};

export const collectiveTimeout: ApplyFault = (control, fault) =>
  onMessages(control, fault, { ...plainRule, action: "drop", count: 1 });

export const delayCollective: ApplyFault = (control, fault) => {
  const { delayUs, count } = fault.params as FaultParams<"delay_collective">;
  return onMessages(control, fault, { ...plainRule, action: "delay", count, delayUs });
};
