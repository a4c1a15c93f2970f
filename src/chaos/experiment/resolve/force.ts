import type { PlannedFault, Timeouts } from "../../plan/index.ts";

/**
 * What a fault can do to a job:
 * - `loses`: ranks leave it;
 * - `stops`: nobody leaves, but all have to begin again from a checkpoint;
 * - `corrupts`: numbers of a rank are wrong and nobody is told;
 * - `disturbs`: it gets slower, or a save fails, and the job goes on.
 */
export type FaultForce = "loses" | "stops" | "corrupts" | "disturbs";

/** What must be expected of a fault, by its name, its parameters and how long it lasts. */
export function forceOf(
  { fault, params, durationUs }: PlannedFault,
  timeouts: Timeouts,
): FaultForce {
  switch (fault) {
    case "kill_device":
    case "off_bus":
    case "ecc_error":
    case "gsp_error":
    case "drop_rank":
    case "restart_worker":
    case "fail_node":
    case "fail_stage":
    case "preempt":
    case "out_of_memory":
    case "kill_pod":
    case "cuda_error":
    case "kill_step":
    case "requeue_job":
    case "kill_slurmd":
      return "loses";
    case "row_remap":
      return params["failed"] === true ? "loses" : "disturbs";
    case "nvlink_error":
      return params["state"] === "down" ? lastsBeyond(timeouts.collectiveUs) : "disturbs";
    case "hang_device":
      return lastsBeyond(timeouts.collectiveUs);
    case "freeze_worker":
    case "partition":
    case "network_policy":
      return lastsBeyond(Math.min(timeouts.heartbeatUs, timeouts.collectiveUs));
    case "packet_loss":
      return params["share"] === 1 ? lastsBeyond(timeouts.collectiveUs) : "disturbs";
    case "drop_collective":
    case "collective_timeout":
      return "stops";
    case "delay_collective":
      return Number(params["delayUs"]) >= timeouts.collectiveUs ? "stops" : "disturbs";
    case "corrupt_collective":
    case "bit_flip":
    case "not_a_number":
    case "strided_corruption":
      return "corrupts";
    case "network_latency":
    case "bandwidth_cap":
    case "link_flap":
    case "straggler":
    case "fragment_memory":
    case "slow_storage":
    case "full_storage":
    case "torn_write":
    case "corrupt_shard":
    case "cordon_node":
    case "gpu_xid":
    case "drain_node":
      return "disturbs";
  }
  function lastsBeyond(timeoutUs: number): FaultForce {
    return durationUs === null || durationUs >= timeoutUs ? "loses" : "disturbs";
  }
}
