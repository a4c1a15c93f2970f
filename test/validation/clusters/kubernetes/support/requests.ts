import type { JobRequest } from "../../../../../src/validation/clusters/cluster.ts";

/** A request for a run of `storage-io`. */
export function jobRequest(of: {
  readonly node: string;
  readonly gpus: number;
  readonly id: string;
  readonly jobName?: string;
}): JobRequest {
  return {
    intent: {
      id: of.id,
      cluster: "prod",
      node: of.node,
      check: "storage-io",
      plannedAtMs: 1_750_000_000_500,
      jobName: of.jobName ?? `tsr-storage-io-${of.node}-${of.id.slice(0, 8)}`,
      purpose: "routine",
      reason: "never tested",
      policy: "stale",
      sku: "simulated",
      rack: "",
      fileSystem: "",
      gpus: of.gpus,
      gpuHours: 1,
      provenance: "measured",
    },
    token: "token-of-the-run",
    resultUrl: "http://192.0.2.1:7077/api/v1/runs/x/result",
    runTimeoutMs: 600_000,
    checkOptions: { profile: "quick" },
  };
}
