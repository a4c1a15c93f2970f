import type { Clock } from "../../../src/platform/time/clock.ts";
import { buildMissing } from "../binaries/build.ts";
import { crdFolder } from "../binaries/cache.ts";
import { partsFor, volcano } from "../binaries/parts.ts";
import { partPrograms, systemPrograms } from "../binaries/resolve.ts";
import { ClusterError } from "../errors.ts";
import { writeImageArchives } from "../images/archives.ts";
import { clusterAvailability } from "../machine/availability.ts";
import { withLock } from "../machine/lock.ts";
import { cniFolder } from "../machine/probes.ts";
import { programPath } from "../machine/programs.ts";
import { type Launched, launchSupervisor } from "../namespaces/launch.ts";
import { makeLink } from "../namespaces/link.ts";
import { claimFolder, ourselves } from "../registry/folders.ts";
import { checkClusterName } from "../registry/names.ts";
import { type ClusterPaths, pathsOf } from "../registry/paths.ts";
import { type ClusterRecord, type ClusterShape, writeRecord } from "../registry/record.ts";
import { sweepAll } from "../registry/sweep.ts";
import { slurmPrograms } from "../slurm/programs.ts";
import { routeToNodes } from "../slurm/route.ts";
import { coveredFolders } from "../supervisor/inside.ts";
import type { SupervisorConfig } from "../supervisor/protocol.ts";
import { destroyCluster } from "./destroy.ts";

export interface CreateOptions {
  readonly clock: Clock;
  readonly name: string;
  readonly shape: ClusterShape;
  /** The CLI as one file, for the image on real nodes. */
  readonly bundle: string;
  readonly extraArgs: SupervisorConfig["extraArgs"];
  readonly slurmConf: SupervisorConfig["slurmConf"];
  readonly onProgress: (text: string) => void;
}

export interface Created {
  readonly paths: ClusterPaths;
  readonly record: ClusterRecord;
  readonly launched: Launched;
}

/**
 * Starts a cluster, building first what is not built yet; resolves when all of it is ready. It
 * lives as long as this process, unless detached. A start that fails leaves nothing.
 */
export async function createCluster(options: CreateOptions): Promise<Created> {
  const { clock, shape, onProgress } = options;
  const name = checkClusterName(options.name);
  requireMachine(shape);
  await buildMissing(partsFor(shape), { clock, onProgress });
  const programs = programsFor(shape);
  const record: ClusterRecord = { name, shape, creator: ourselves() };
  const paths = await claimPlace(record, options);
  try {
    const imageArchives =
      shape.nodes > 0 ? await writeImageArchives(paths.images, options.bundle) : [];
    const launched = await launchSupervisor(paths);
    const processes = { ...record, keeper: launched.keeper, init: launched.init };
    writeRecord(paths, processes);
    const link = await makeLink(launched.init.pid);
    const { interfaceName, hostAddress, clusterAddress } = link;
    const complete = { ...processes, network: { interfaceName, hostAddress, clusterAddress } };
    writeRecord(paths, complete);
    if (shape.slurm > 0) await routeToNodes(link);
    await launched.start(
      {
        folder: paths.folder,
        name,
        shape,
        hostAddress,
        clusterAddress,
        programs,
        path: programPath(),
        cniFolder: cniFolder() ?? "",
        volcanoCrds: shape.volcano ? crdFolder(volcano) : "",
        imageArchives,
        extraArgs: options.extraArgs,
        slurmConf: options.slurmConf,
      },
      onProgress,
    );
    return { paths, record: complete, launched };
  } catch (problem) {
    await destroyCluster(clock, name);
    throw problem;
  }
}

/** Sweeps what dead clusters left and takes the name; one process at a time. */
async function claimPlace(
  record: ClusterRecord,
  { clock, onProgress }: CreateOptions,
): Promise<ClusterPaths> {
  const onWait = () => onProgress("waiting for another process that starts a cluster");
  return await withLock("clusters", { clock, onWait }, async () => {
    const swept = await sweepAll(clock);
    if (swept.length > 0) onProgress(`swept what was left of ${swept.join(", ")}`);
    return pathsOf(claimFolder(record));
  });
}

function requireMachine(shape: ClusterShape): void {
  const availability = clusterAvailability(shape);
  if (availability.ok) return;
  const { missing, hint } = availability;
  throw new ClusterError(`missing on this machine: ${missing.join(", ")}; ${hint}`, {
    exitCode: 2,
  });
}

function programsFor(shape: ClusterShape): Record<string, string> {
  const runtime = shape.nodes > 0 ? ["containerd", "ctr", "runc"] : [];
  const etcd = shape.kubernetes ? ["etcd"] : [];
  const system = systemPrograms([...etcd, ...runtime, ...slurmPrograms(shape)]);
  const programs = { ...system, ...partPrograms(partsFor(shape)) };
  for (const path of Object.values(programs)) {
    const covered = coveredFolders.find((folder) => path.startsWith(`${folder}/`));
    if (covered === undefined) continue;
    throw new ClusterError(`${path} cannot be used: ${covered} is hidden inside a cluster`, {
      exitCode: 2,
    });
  }
  return programs;
}
