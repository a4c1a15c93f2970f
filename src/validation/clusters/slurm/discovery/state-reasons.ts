import type { SlurmNode } from "../../../../platform/slurm/index.ts";
import type { NotFreeReason } from "../../cluster.ts";
import type { FreeNodeInput } from "./free-node.ts";

/** Base states that say nothing against a node by themselves; what holds it is asked elsewhere. */
const soundStates: ReadonlySet<string> = new Set(["IDLE", "ALLOCATED", "MIXED"]);

/** Flags that are weighed elsewhere, or say nothing about whether jobs can start. */
const otherFlags: ReadonlySet<string> = new Set([
  "DRAIN",
  "RESERVED",
  "MAINTENANCE",
  "PLANNED",
  "COMPLETING",
  "CLOUD",
  "DYNAMIC_FUTURE",
  "DYNAMIC_NORM",
  "EXTERNAL",
]);

const leavingFlags: ReadonlySet<string> = new Set([
  "POWER_DOWN",
  "POWERING_DOWN",
  "POWERED_DOWN",
  "POWER_DRAIN",
  "REBOOT_REQUESTED",
  "REBOOT_ISSUED",
  "REBOOT_CANCELED",
]);

/** What the state of a node says against starting a job there. A word nobody knows speaks against it. */
export function stateReasons({ node, closure }: FreeNodeInput): NotFreeReason[] {
  const reasons: NotFreeReason[] = [];
  if (!soundStates.has(node.state)) {
    reasons.push({ code: "not-ready", text: `it is ${node.state}${reasonText(node)}` });
  }
  for (const flag of node.flags.filter((one) => !otherFlags.has(one))) {
    const code = leavingFlags.has(flag) ? "leaving" : "not-ready";
    const why = flag === "FAIL" ? reasonText(node) : "";
    reasons.push({ code, text: `Slurm says ${flag} of it${why}` });
  }
  // One that others took down has said so with its state.
  if (closure.by === "others" && closure.drained) {
    reasons.push({ code: "cordoned", text: `drained${reasonText(node)}` });
  }
  return reasons;
}

/** ` by root since 2026-01-08T20:10:00.000Z: bad DIMM`, as far as it is told. */
function reasonText({ reason, reasonBy, reasonAtMs }: SlurmNode): string {
  const by = reasonBy === "" ? "" : ` by ${reasonBy}`;
  const since = reasonAtMs === undefined ? "" : ` since ${new Date(reasonAtMs).toISOString()}`;
  return `${by}${since}${reason === "" ? "" : `: ${reason}`}`;
}
