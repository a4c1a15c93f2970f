/** Every fault of the catalogue, by the name that experiment files and `chaos.inject` use. */
export const faultNames = [
  // Devices.
  "kill_device",
  "off_bus",
  "ecc_error",
  "row_remap",
  "nvlink_error",
  "gsp_error",
  "hang_device",
  // Ranks, nodes and what runs them.
  "drop_rank",
  "restart_worker",
  "freeze_worker",
  "fail_node",
  "fail_stage",
  "preempt",
  // Links.
  "partition",
  "network_latency",
  "packet_loss",
  "bandwidth_cap",
  "link_flap",
  // Collectives and pace.
  "drop_collective",
  "delay_collective",
  "corrupt_collective",
  "collective_timeout",
  "straggler",
  // Silent corruption.
  "bit_flip",
  "not_a_number",
  "strided_corruption",
  // Memory and storage.
  "out_of_memory",
  "fragment_memory",
  "slow_storage",
  "full_storage",
  "torn_write",
  "corrupt_shard",
  // Kubernetes.
  "kill_pod",
  "cordon_node",
  "network_policy",
  "gpu_xid",
  "cuda_error",
  // Slurm.
  "kill_step",
  "requeue_job",
  "drain_node",
  "kill_slurmd",
] as const;

export type FaultName = (typeof faultNames)[number];

/** Faults that only the fault API of an installation makes, with the rights of whoever asks it. */
export const hardwareFaults: ReadonlySet<string> = new Set<FaultName>(["gpu_xid", "cuda_error"]);
