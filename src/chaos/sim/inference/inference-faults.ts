import type { FaultName } from "../../fault/fault-names.ts";

/** Faults that replicas behind a router can meet. */
export const inferenceFaults: ReadonlySet<FaultName> = new Set([
  "kill_device",
  "off_bus",
  "ecc_error",
  "hang_device",
  "gsp_error",
  "drop_rank",
  "restart_worker",
  "freeze_worker",
  "fail_node",
  "fail_stage",
  "preempt",
  "partition",
  "network_latency",
  "packet_loss",
  "bandwidth_cap",
  "link_flap",
  "straggler",
]);
