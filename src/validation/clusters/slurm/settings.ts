import type { ActSettings } from "../../settings.ts";

/** How a Slurm cluster is looked at and used. */
export interface SlurmSettings {
  /** Names of the checks that may run there. */
  readonly checks: readonly string[];
  /** The program of jobs, as compute nodes find it. */
  readonly program: string;
  /** The root of the log tree, on a file system that compute nodes share with us. */
  readonly resultDir: string;
  /** Where jobs go. @default the cluster's default partition */
  readonly partition?: string;
  readonly account?: string;
  readonly qos?: string;
  /** Only nodes of one of these are looked at. @default all */
  readonly partitions?: readonly string[];
  /** Only nodes with all of these. @default all nodes */
  readonly features?: readonly string[];
  /** Names of nodes that are left alone. */
  readonly excludedNodes?: readonly string[];
  /** The generic resource that GPUs are; null: nodes without GPUs are tested too. @default gpu */
  readonly gres?: string | null;
  /** How features that name racks begin. @default racks are not told */
  readonly rackFeature?: string;
  /** @default 10 000 */
  readonly nice?: number;
  /** @default 10 000 */
  readonly lookEveryMs?: number;
  /** @default false */
  readonly nodeComments?: boolean;
  /** Unless it is `on`, no node is opened for a test, and no reservation made. @default dry-run */
  readonly actMode?: ActSettings["mode"];
  /** How long a run may take; a reservation that begins sooner keeps a node from being tested. */
  readonly runTimeoutMs: number;
  /** What a job may take beyond that to hand in. */
  readonly graceMs: number;
}

export type ResolvedSlurmSettings = Required<
  Omit<SlurmSettings, "partition" | "account" | "qos" | "partitions" | "rackFeature">
> &
  Pick<SlurmSettings, "partition" | "account" | "qos" | "partitions" | "rackFeature">;

export function resolveSlurmSettings(settings: SlurmSettings): ResolvedSlurmSettings {
  return {
    features: [],
    excludedNodes: [],
    gres: "gpu",
    nice: 10_000,
    lookEveryMs: 10_000,
    nodeComments: false,
    actMode: "dry-run",
    ...settings,
  };
}
