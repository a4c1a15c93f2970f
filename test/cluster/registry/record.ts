import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { ProcessId } from "../machine/processes.ts";
import { isRunning } from "../machine/processes.ts";
import type { ClusterPaths } from "./paths.ts";

/** What a cluster consists of. */
export interface ClusterShape {
  /** The Kubernetes control plane; what follows up to `slurm` hangs on it. */
  readonly kubernetes: boolean;
  /** Real nodes: kubelet, containerd, runc. */
  readonly nodes: number;
  /** Simulated nodes run by KWOK. */
  readonly kwok: number;
  readonly volcano: boolean;
  /** Slurm nodes, each a slurmd in namespaces of its own; 0 is no Slurm. */
  readonly slurm: number;
  /** Slurm's accounting: slurmdbd and its database. */
  readonly slurmAccounting: boolean;
}

/** The way into a cluster's network namespace. */
export interface ClusterNetwork {
  /** The interface on this machine's side. */
  readonly interfaceName: string;
  /** Our address: where pods reach a server that a test runs. */
  readonly hostAddress: string;
  /** The cluster's address: where the API server listens. */
  readonly clusterAddress: string;
}

/** What is known about a cluster, written as it comes into being. */
export interface ClusterRecord {
  readonly name: string;
  readonly shape: ClusterShape;
  /** The process that starts it; until `init` is there the cluster is as alive as this one. */
  readonly creator: ProcessId;
  /** Waits for the end of the cluster and then sweeps its folders. */
  readonly keeper?: ProcessId;
  /** The first process of the pid namespace, as seen from outside: its end is the cluster's. */
  readonly init?: ProcessId;
  readonly network?: ClusterNetwork;
}

/** Writes the record so that a reader sees the old one or the new one, never half. */
export function writeRecord(paths: ClusterPaths, record: ClusterRecord): void {
  const temporary = `${paths.record}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, paths.record);
}

/** The record in a cluster's folder; undefined when there is none or it cannot be read. */
export function readRecord(paths: ClusterPaths): ClusterRecord | undefined {
  try {
    return JSON.parse(readFileSync(paths.record, "utf8")) as ClusterRecord;
  } catch {
    return undefined;
  }
}

export type Liveness = "running" | "starting" | "dead";

/** Whether a cluster's processes are there. A folder without a record belongs to nobody. */
export function livenessOf(record: ClusterRecord | undefined): Liveness {
  if (record === undefined) return "dead";
  if (record.init !== undefined) return isRunning(record.init) ? "running" : "dead";
  return isRunning(record.creator) ? "starting" : "dead";
}
