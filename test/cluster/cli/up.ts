import { builtBundle } from "../images/archives.ts";
import { Cluster } from "../lifecycle/cluster.ts";
import { createCluster } from "../lifecycle/create.ts";
import { missingFor } from "../machine/availability.ts";
import { installPackages } from "../machine/install.ts";
import type { ToolIo } from "./io.ts";
import type { CommandLine } from "./options.ts";

/** Starts a cluster and leaves it running in the background. */
export async function up(line: CommandLine, io: ToolIo): Promise<void> {
  const startMs = io.clock.monotonicMs();
  if (line.install) await installPackages(missingFor(line.shape), io.progress);
  const { paths, record, launched } = await createCluster({
    clock: io.clock,
    name: line.name,
    shape: line.shape,
    bundle: builtBundle(),
    extraArgs: {},
    onProgress: io.progress,
  });
  await launched.detach();
  const seconds = Math.round((io.clock.monotonicMs() - startMs) / 1000);
  const cluster = new Cluster(io.clock, paths, record);
  io.result(
    {
      name: line.name,
      ...line.shape,
      server: cluster.serverUrl,
      kubeconfig: cluster.kubeconfigPath,
      volumes: cluster.volumesDir,
      hostAddress: cluster.hostAddress,
      seconds,
    },
    [
      `cluster "${line.name}" is ready at ${cluster.serverUrl} (${seconds} s)`,
      `export KUBECONFIG=${cluster.kubeconfigPath}`,
    ],
  );
}
