import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/repository.ts";
import {
  createKubeClient,
  type KubeClient,
  loadKubeConfig,
} from "../../src/platform/kube/index.ts";
import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { kubernetes } from "../../test/cluster/binaries/parts.ts";
import { partPrograms } from "../../test/cluster/binaries/resolve.ts";
import { type Cluster, startCluster } from "../../test/cluster/fixture.ts";
import { clusterAvailability } from "../../test/cluster/machine/availability.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { BenchContext } from "../bench.ts";
import { TimedProgram } from "../lib/timed-program.ts";
import { type Population, populate } from "./population.ts";

const clock = createRealClock();
const serviceAccounts = {
  group: "",
  version: "v1",
  plural: "serviceaccounts",
  kind: "ServiceAccount",
  namespaced: true,
};

/** A real API server with nodes and pods that nobody changes. */
export interface PopulatedCluster extends BenchContext {
  readonly cluster: Cluster;
  readonly client: KubeClient;
  readonly population: Population;
  /** kubectl keeps its cache here. */
  readonly home: string;
  /** For programs: beside node_modules, so that they find the packages they use. */
  readonly cache: string;
}

/** Why no cluster can be started here; undefined when one can. */
export function clusterMissing(): Promise<string | undefined> {
  const availability = clusterAvailability({});
  const missing = availability.ok ? undefined : `missing: ${availability.missing.join(", ")}`;
  return Promise.resolve(missing);
}

/** Starts a cluster of 5,000 nodes and 40,000 pods (a tenth, if quick) and removes it afterwards. */
export async function onPopulatedCluster<T>(
  context: BenchContext,
  use: (places: PopulatedCluster) => Promise<T>,
): Promise<T> {
  const { quick, log } = context;
  const population = quick ? { nodes: 500, pods: 2_000 } : { nodes: 5_000, pods: 40_000 };
  const home = await mkdtemp(join(tmpdir(), "tessera-bench-"));
  const cache = await mkdtemp(join(root, "node_modules", ".cache", "bench-"));
  try {
    await using cluster = await startCluster({ onProgress: log });
    const config = await loadKubeConfig({ path: cluster.kubeconfigPath, env: {}, clock });
    const random = createRng("bench").stream("population");
    const client = createKubeClient({ config, clock, random, socketsMax: 32 });
    try {
      await fill(cluster, client, { population, log });
      return await use({ ...context, cluster, client, population, home, cache });
    } finally {
      client.close();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
    await rm(cache, { recursive: true, force: true });
  }
}

/** How long `kubectl get nodes,pods -A -o json` takes, from its start to its end. */
export async function kubectlMs({ cluster, home }: PopulatedCluster): Promise<number> {
  const { kubectl = "kubectl" } = partPrograms([kubernetes]);
  const args = ["get", "nodes,pods", "-A", "-o", "json"];
  const env = { KUBECONFIG: cluster.kubeconfigPath, HOME: home };
  return await new TimedProgram({ clock, file: kubectl, args, env, discard: true }).end();
}

async function fill(
  cluster: Cluster,
  client: KubeClient,
  { population, log }: { readonly population: Population; readonly log: BenchContext["log"] },
): Promise<void> {
  const hasAccount = () =>
    client.get(serviceAccounts, { namespace: "default", name: "default" }).then(
      () => true,
      () => false,
    );
  await waitUntil("pods can be created", hasAccount);
  // Controllers would take these nodes for dead and clear them.
  for (const name of ["controller-manager", "scheduler"] as const) {
    await cluster.component(name).kill();
  }
  await populate(client, population, log);
}
