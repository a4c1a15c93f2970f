import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Clock } from "../../../src/platform/time/clock.ts";
import { cgroupsNamed, removeCgroup } from "../machine/cgroups.ts";
import { isRunning } from "../machine/processes.ts";
import { waitFor } from "../machine/wait.ts";
import { abandonedFolders, clusterNames, removeFolder } from "./folders.ts";
import { cgroupOf, cgroupPrefix } from "./names.ts";
import { clustersRoot, pathsOf } from "./paths.ts";
import { type ClusterRecord, livenessOf, readRecord } from "./record.ts";

/**
 * Removes what a dead cluster leaves: its cgroups and its folder. Processes, mounts and
 * interfaces went with its namespaces.
 */
export async function sweepFolder(clock: Clock, folder: string): Promise<void> {
  await removeCgroup(clock, cgroupOf(basename(folder)));
  removeFolder(folder);
}

/**
 * Sweeps a dead cluster once its keeper, which sweeps too, is gone. The record must be from before
 * the cluster's end: the keeper takes it away with the folder, some time before it ends itself.
 */
export async function sweepDead(
  clock: Clock,
  folder: string,
  record: ClusterRecord | undefined,
): Promise<void> {
  const keeper = record?.keeper;
  await waitFor(
    { clock, what: `the keeper of ${basename(folder)} to end`, timeoutMs: 120_000 },
    async () => !isRunning(keeper),
  );
  await sweepFolder(clock, folder);
}

/** Sweeps every dead cluster and every cgroup that lost its cluster. Returns their names. */
export async function sweepAll(clock: Clock): Promise<string[]> {
  const swept: string[] = [];
  for (const name of clusterNames()) {
    const folder = join(clustersRoot, name);
    const record = readRecord(pathsOf(folder));
    if (livenessOf(record) !== "dead") continue;
    await sweepDead(clock, folder, record);
    swept.push(name);
  }
  for (const folder of abandonedFolders()) rmSync(folder, { recursive: true, force: true });
  for (const cgroup of cgroupsNamed(cgroupPrefix)) {
    const name = cgroup.slice(cgroupPrefix.length);
    if (existsSync(join(clustersRoot, name))) continue;
    await removeCgroup(clock, cgroup);
    swept.push(name);
  }
  return swept;
}
