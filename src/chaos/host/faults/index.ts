import type { FaultName } from "../../fault/fault-names.ts";
import * as device from "./device-faults.ts";
import type { ApplyFault } from "./host-control.ts";
import * as link from "./link-faults.ts";
import * as worker from "./process-faults.ts";
import * as store from "./store-faults.ts";

/** What each fault does on this machine; those that are missing it cannot do. */
export const applyFault: Readonly<Partial<Record<FaultName, ApplyFault>>> = {
  kill_device: worker.killAndClose,
  drop_rank: worker.killAndClose,
  fail_node: worker.killAndClose,
  fail_stage: worker.killAndClose,
  restart_worker: worker.restartWorker,
  freeze_worker: worker.freezeWorker,
  preempt: worker.preempt,
  off_bus: device.offBus,
  ecc_error: device.eccError,
  row_remap: device.rowRemap,
  gsp_error: device.gspError,
  hang_device: device.hangDevice,
  straggler: device.straggler,
  bit_flip: device.bitFlip,
  not_a_number: device.notANumber,
  strided_corruption: device.stridedCorruption,
  partition: link.partition,
  network_latency: link.networkLatency,
  packet_loss: link.packetLoss,
  bandwidth_cap: link.bandwidthCap,
  link_flap: link.linkFlap,
  nvlink_error: link.nvlinkError,
  drop_collective: link.dropCollective,
  delay_collective: link.delayCollective,
  corrupt_collective: device.corruptCollective,
  collective_timeout: link.collectiveTimeout,
  out_of_memory: store.outOfMemory,
  slow_storage: store.slowStorage,
  full_storage: store.fullStorage,
  torn_write: store.tornWrite,
  corrupt_shard: store.corruptShard,
};
