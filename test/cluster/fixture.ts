import { join } from "node:path";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { ClusterError } from "./errors.ts";
import { builtBundle } from "./images/archives.ts";
import { Cluster } from "./lifecycle/cluster.ts";
import { createCluster } from "./lifecycle/create.ts";
import { completeShape } from "./machine/availability.ts";
import { clusterNames } from "./registry/folders.ts";
import { checkClusterName } from "./registry/names.ts";
import { clustersRoot, pathsOf } from "./registry/paths.ts";
import { livenessOf, readRecord } from "./registry/record.ts";

export type { Cluster } from "./lifecycle/cluster.ts";

export interface StartClusterOptions {
  /** Real nodes (`node-1`, ...): kubelet, containerd, runc, 8 simulated GPUs each. Default 0. */
  readonly nodes?: number;
  /** KWOK nodes (`kwok-1`, ...), 8 simulated GPUs each. Default 0. */
  readonly kwok?: number;
  /** Volcano's scheduler and controllers. Default false. */
  readonly volcano?: boolean;
  /** The Kubernetes control plane. Default true. */
  readonly kubernetes?: boolean;
  /** Slurm nodes (`g0`, ...), 8 simulated GPUs each. Default 0: no Slurm. */
  readonly slurm?: number;
  /** Slurm's accounting, with a database of its own. Default false. */
  readonly slurmAccounting?: boolean;
  /** Further lines of slurm.conf; the last of a key counts. */
  readonly slurmConf?: readonly string[];
  /** Default: a name no one else has. */
  readonly name?: string;
  /** The CLI as one file, /app/tessera.mjs in image `tessera:test`. Default: the built one. */
  readonly bundle?: string;
  /** Further arguments by component: `{ apiserver: ["--watch-cache=false"] }`. */
  readonly extraArgs?: Readonly<Record<string, readonly string[]>>;
  /** Called with a line of text for each step. */
  readonly onProgress?: (text: string) => void;
}

/**
 * Starts a cluster of its own for a test: `await using cluster = await startCluster({})`. It ends
 * with the scope, and with this process even when that is killed. Resolves when all of it is
 * ready; throws a ClusterError with the reason otherwise, and then nothing is left.
 */
export async function startCluster(options: StartClusterOptions = {}): Promise<Cluster> {
  const clock = createRealClock();
  const { paths, record } = await createCluster({
    clock,
    name: options.name ?? freeName(),
    shape: completeShape(options),
    bundle: options.bundle ?? builtBundle(),
    extraArgs: options.extraArgs ?? {},
    slurmConf: options.slurmConf ?? [],
    onProgress: options.onProgress ?? (() => {}),
  });
  return new Cluster(clock, paths, record);
}

let named = 0;

// Counted as well as looked up: two that start at once have no folder to see yet.
function freeName(): string {
  const taken = new Set(clusterNames());
  do named += 1;
  while (taken.has(`test-${process.pid}-${named}`));
  return `test-${process.pid}-${named}`;
}

/** A cluster that runs already, for example the one all suites share. */
export function openCluster(name: string): Cluster {
  const paths = pathsOf(join(clustersRoot, checkClusterName(name)));
  const record = readRecord(paths);
  if (record === undefined || livenessOf(record) !== "running") {
    throw new ClusterError(`no cluster named "${name}" is running`, { exitCode: 2 });
  }
  return new Cluster(createRealClock(), paths, record);
}
