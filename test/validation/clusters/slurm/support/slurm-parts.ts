import type { SlurmJob, SlurmNode } from "../../../../../src/platform/slurm/index.ts";
import type { JobRequest } from "../../../../../src/validation/clusters/cluster.ts";
import { type Fleet, fleetOf } from "../../../../../src/validation/clusters/slurm/fleet.ts";
import {
  resolveSlurmSettings,
  type SlurmSettings,
} from "../../../../../src/validation/clusters/slurm/settings.ts";
import type { SlurmSnapshot } from "../../../../../src/validation/clusters/slurm/snapshot.ts";

export const nowMs = Date.parse("2026-01-08T20:10:00Z");
export const who = {
  cluster: "prod",
  user: "tessera",
  store: "5ad0beef",
  reasonUsers: ["root", "slurm"],
} as const;

export function settingsOf(more: Partial<SlurmSettings> = {}) {
  return resolveSlurmSettings({
    checks: ["probe"],
    program: "/shared/tessera",
    resultDir: "/shared/results",
    partition: "tessera",
    runTimeoutMs: 600_000,
    graceMs: 60_000,
    actMode: "on",
    ...more,
  });
}

export function node(more: Partial<SlurmNode> = {}): SlurmNode {
  return {
    name: "g0",
    address: "g0",
    state: "IDLE",
    flags: [],
    partitions: ["batch", "tessera"],
    features: ["ib", "rack1"],
    gres: [{ name: "gpu", type: "h100", count: 8 }],
    gresUsed: [],
    cpus: 8,
    cpusAllocated: 0,
    memoryMiB: 64_000,
    memoryAllocatedMiB: 0,
    reason: "",
    reasonBy: "",
    reasonAtMs: undefined,
    comment: "",
    bootAtMs: 0,
    slurmdStartedAtMs: 0,
    ...more,
  };
}

/** A job of a user, running on g0. */
export function job(more: Partial<SlurmJob> = {}): SlurmJob {
  return {
    id: 123,
    arrayJobId: undefined,
    arrayTaskId: undefined,
    name: "train",
    user: "alice",
    state: "RUNNING",
    flags: [],
    partition: "batch",
    qos: "",
    account: "",
    reservation: "",
    nodes: ["g0"],
    requestedNodes: [],
    plannedNodes: [],
    reason: "",
    comment: "",
    submittedAtMs: nowMs - 60_000,
    startedAtMs: nowMs - 30_000,
    endedAtMs: undefined,
    preemptedAtMs: undefined,
    exitCode: undefined,
    exitSignal: undefined,
    restarts: 0,
    ...more,
  };
}

/** A job of ours on g0. */
export function ownJob(more: Partial<SlurmJob> = {}): SlurmJob {
  const comment = "tessera cluster=prod run=r1 store=5ad0beef";
  const ours = { name: "tsr-probe-g0-r1", user: "tessera", partition: "tessera", comment };
  return job({ ...ours, requestedNodes: ["g0"], ...more });
}

const partition = { nodes: ["g0"], state: "UP", isDefault: false, maxTimeMs: undefined };

export function snapshot(more: Partial<SlurmSnapshot> = {}): SlurmSnapshot {
  return {
    atMs: nowMs,
    nodes: [node()],
    reservations: [],
    partitions: [
      { ...partition, name: "batch", priorityTier: 10, preemptMode: "OFF", isDefault: true },
      { ...partition, name: "tessera", priorityTier: 1, preemptMode: "CANCEL" },
    ],
    jobs: [],
    ...more,
  };
}

/** The view of a snapshot. */
export function see(
  given: Partial<SlurmSnapshot> = {},
  settings: Partial<SlurmSettings> = {},
  cancelledForMs: ReadonlyMap<string, number> = new Map(),
): Fleet {
  return fleetOf({
    snapshot: snapshot(given),
    who,
    settings: settingsOf(settings),
    troubles: new Map(),
    cancelledForMs,
  });
}

/** Why the first node is not free. */
export function why(
  given: Partial<SlurmSnapshot>,
  settings: Partial<SlurmSettings> = {},
): readonly string[] {
  return (see(given, settings).nodes[0]?.notFree ?? []).map(({ code, text }) => `${code}: ${text}`);
}

export function request(more: Partial<JobRequest["intent"]> = {}): JobRequest {
  return {
    intent: {
      id: "r1",
      cluster: "prod",
      node: "g0",
      check: "probe",
      plannedAtMs: nowMs,
      jobName: "tsr-probe-g0-r1",
      purpose: "routine",
      reason: "stale",
      policy: "stale",
      sku: "h100",
      rack: "",
      fileSystem: "",
      gpus: 8,
      gpuHours: 1,
      provenance: "measured",
      ...more,
    },
    token: "run-token",
    runTimeoutMs: 600_000,
    checkOptions: { rounds: 3 },
  };
}
