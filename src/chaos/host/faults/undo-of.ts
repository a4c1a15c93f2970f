import type { FaultName } from "../../fault/fault-names.ts";
import type { Undo } from "../../ledger/index.ts";
import type { PlannedFault } from "../../plan/index.ts";
import type { HostControl } from "./host-control.ts";
import { slotsOfFault } from "./targets.ts";

const onLinks: ReadonlySet<FaultName> = new Set([
  "partition",
  "network_latency",
  "packet_loss",
  "bandwidth_cap",
  "link_flap",
  "nvlink_error",
  "drop_collective",
  "delay_collective",
  "collective_timeout",
]);

/**
 * How another process takes a fault back, when this one is gone. What is broken inside the processes of
 * the run (closed slots, orders, the proxy) ends with them.
 */
export function undoOf(control: HostControl, fault: PlannedFault): Undo {
  const identities = () =>
    slotsOfFault(fault, control.fleet).flatMap((slot) => control.identityOf(slot) ?? []);
  if (fault.fault === "freeze_worker") {
    return { kind: "continue-processes", data: { processes: identities() } };
  }
  if (fault.fault === "out_of_memory") {
    return { kind: "unlimit-memory", data: { processes: identities() } };
  }
  if (fault.fault === "full_storage" && control.disk !== null) {
    return control.disk.undoOf(fault.id);
  }
  if (onLinks.has(fault.fault)) return control.links.undoOf(fault.id);
  return { kind: "end-processes", data: { run: control.run } };
}
