/** Names that NVSentinel uses on nodes; read in its source and seen on a real API server. */
export const nvSentinelNames = {
  annotations: {
    /** A JSON array of the health events that keep the node closed. */
    event: "quarantineHealthEvent",
    isCordoned: "quarantineHealthEventIsCordoned",
    cordonPreExisting: "quarantineHealthEventCordonPreExisting",
    appliedTaints: "quarantineHealthEventAppliedTaints",
    appliedLabels: "quarantineHealthEventAppliedLabels",
    uncordonedManually: "quarantinedNodeUncordonedManually",
    untaintedManually: "quarantinedNodeUntaintedManually",
  },
  labels: {
    state: "dgxc.nvidia.com/nvsentinel-state",
    cordonBy: "k8saas.nvidia.com/cordon-by",
    cordonReason: "k8saas.nvidia.com/cordon-reason",
    cordonTimestamp: "k8saas.nvidia.com/cordon-timestamp",
    uncordonBy: "k8saas.nvidia.com/uncordon-by",
    uncordonReason: "k8saas.nvidia.com/uncordon-reason",
    uncordonTimestamp: "k8saas.nvidia.com/uncordon-timestamp",
  },
  /** Condition types are the names of checks. */
  conditions: {
    xid: "SysLogsXIDError",
    sxid: "SysLogsSXIDError",
    fallenOff: "SysLogsGPUFallenOff",
    repeatedXid: "RepeatedXIDErrorOnSameGPU",
    multipleRemediations: "MultipleRemediations",
  },
  /** Only nodes with this label and the value `true` are quarantined, and only they count for the breaker. */
  gpuLabel: "nvidia.com/gpu.present",
  /** With the value `false`: NVSentinel leaves the node alone. */
  optOutLabels: ["k8saas.nvidia.com/ManagedByNVSentinel", "nvsentinel.dgxc.nvidia.com/managed"],
  /** In the `cordon-by` label. */
  service: "NVSentinel",
  true: "True",
  breakerConfigMap: "circuit-breaker",
  /** Where it is installed unless told otherwise. */
  namespace: "nvsentinel",
} as const;

/** `2026-11-15T09-02-37Z`: a label's value has no colons. */
export function labelTimestamp(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

/** RFC 3339 of a label's time; undefined for anything else. */
export function timeOfLabel(value: string | undefined): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/.exec(value ?? "");
  if (parts === null) return undefined;
  const text = `${parts[1]}T${parts[2]}:${parts[3]}:${parts[4]}Z`;
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}
