import { isDeepStrictEqual } from "node:util";
import { openCluster } from "../fixture.ts";
import { builtBundle } from "../images/archives.ts";
import { Cluster } from "../lifecycle/cluster.ts";
import { createCluster } from "../lifecycle/create.ts";
import { missingFor } from "../machine/availability.ts";
import { installPackages } from "../machine/install.ts";
import { clusterNames } from "../registry/folders.ts";
import { slurmPathsOf } from "../slurm/paths.ts";
import type { ToolIo } from "./io.ts";
import type { CommandLine } from "./options.ts";

/** Starts a cluster and leaves it running in the background. One that is there already is good. */
export async function up(line: CommandLine, io: ToolIo): Promise<void> {
  const startMs = io.clock.monotonicMs();
  if (line.install) await installPackages(missingFor(line.shape), io.progress);
  const cluster = alreadyUp(line) ?? (await start(line, io));
  const seconds = Math.round((io.clock.monotonicMs() - startMs) / 1000);
  const { kubernetes, slurm } = line.shape;
  const files = slurmPathsOf(cluster.dataDir);
  io.result(
    {
      name: line.name,
      ...line.shape,
      ...(kubernetes ? { server: cluster.serverUrl, kubeconfig: cluster.kubeconfigPath } : {}),
      ...(slurm > 0 ? { slurmConf: files.conf, shared: files.shared } : {}),
      volumes: cluster.volumesDir,
      hostAddress: cluster.hostAddress,
      seconds,
    },
    [
      `cluster "${line.name}" is ready at ${cluster.clusterAddress} (${seconds} s)`,
      ...(kubernetes ? [`export KUBECONFIG=${cluster.kubeconfigPath}`] : []),
      ...(slurm > 0 ? [`export SLURM_CONF=${files.conf}`] : []),
    ],
  );
}

// Of another shape it is in the way, which the start says.
function alreadyUp(line: CommandLine): Cluster | undefined {
  if (!clusterNames().includes(line.name)) return undefined;
  try {
    const cluster = openCluster(line.name);
    return isDeepStrictEqual(cluster.shape, line.shape) ? cluster : undefined;
  } catch {
    return undefined;
  }
}

async function start(line: CommandLine, io: ToolIo): Promise<Cluster> {
  const { paths, record, launched } = await createCluster({
    clock: io.clock,
    name: line.name,
    shape: line.shape,
    bundle: builtBundle(),
    extraArgs: {},
    slurmConf: [],
    onProgress: io.progress,
  });
  await launched.detach();
  return new Cluster(io.clock, paths, record);
}
