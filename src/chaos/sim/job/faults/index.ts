import type { FaultName } from "../../../fault/fault-names.ts";
import type { ApplyFault } from "../fault-world.ts";
import * as collectives from "./collective-faults.ts";
import * as devices from "./device-faults.ts";
import * as links from "./link-faults.ts";
import * as stores from "./store-faults.ts";
import * as workers from "./worker-faults.ts";

/** How each fault is done to a simulated training job; those that are missing are none of this world. */
export const applyFault: Readonly<Partial<Record<FaultName, ApplyFault>>> = {
  kill_device: devices.killDevice,
  off_bus: devices.offBus,
  ecc_error: devices.eccError,
  row_remap: devices.rowRemap,
  nvlink_error: links.nvlinkError,
  gsp_error: devices.gspError,
  hang_device: devices.hangDevice,
  drop_rank: workers.dropRank,
  restart_worker: workers.restartWorker,
  freeze_worker: workers.freezeWorker,
  fail_node: workers.failNode,
  fail_stage: workers.failStage,
  preempt: workers.preempt,
  partition: links.partition,
  network_latency: links.networkLatency,
  packet_loss: links.packetLoss,
  bandwidth_cap: links.bandwidthCap,
  link_flap: links.linkFlap,
  drop_collective: collectives.dropCollective,
  delay_collective: collectives.delayCollective,
  corrupt_collective: collectives.corruptCollective,
  collective_timeout: collectives.collectiveTimeout,
  straggler: devices.straggler,
  bit_flip: collectives.bitFlip,
  not_a_number: collectives.notANumber,
  strided_corruption: collectives.stridedCorruption,
  out_of_memory: devices.outOfMemory,
  fragment_memory: devices.fragmentMemory,
  slow_storage: stores.slowStorage,
  full_storage: stores.fullStorage,
  torn_write: stores.tornWrite,
  corrupt_shard: stores.corruptShard,
};
