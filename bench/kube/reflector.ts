import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/repository.ts";
import { createKubeClient, loadKubeConfig, resourceTypes } from "../../src/platform/kube/index.ts";
import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { kubernetes } from "../../test/cluster/binaries/parts.ts";
import { partPrograms } from "../../test/cluster/binaries/resolve.ts";
import { type Cluster, startCluster } from "../../test/cluster/fixture.ts";
import { clusterAvailability } from "../../test/cluster/machine/availability.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { Bench, BenchContext, BenchResult } from "../bench.ts";
import { buildProgram } from "../lib/build-program.ts";
import { type Population, populate } from "./population.ts";

const clock = createRealClock();
const megabyte = 1e6;

export const bench: Bench = {
  name: "kube/reflector",
  description:
    "A new process syncs the nodes and pods of a real API server, against kubectl get nodes,pods -A -o json on the same objects in the same run.",
  requires: () => {
    const availability = clusterAvailability({});
    const missing = availability.ok ? undefined : `missing: ${availability.missing.join(", ")}`;
    return Promise.resolve(missing);
  },
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "tessera-bench-"));
    // Beside node_modules, so that the program finds the packages it uses.
    const cache = await mkdtemp(join(root, "node_modules", ".cache", "bench-"));
    try {
      await using cluster = await startCluster({ onProgress: context.log });
      return await measure(cluster, { ...context, home: folder, program: join(cache, "sync.mjs") });
    } finally {
      await rm(folder, { recursive: true, force: true });
      await rm(cache, { recursive: true, force: true });
    }
  },
};

interface Places extends BenchContext {
  /** kubectl keeps its cache here. */
  readonly home: string;
  readonly program: string;
}

async function measure(cluster: Cluster, places: Places): Promise<BenchResult> {
  const { quick, log, program } = places;
  const population = quick ? { nodes: 500, pods: 2_000 } : { nodes: 5_000, pods: 40_000 };
  await prepare(cluster, population, log);
  await buildProgram(join(import.meta.dirname, "sync-program.ts"), program);
  const rounds = quick ? 1 : 3;
  const ours: Sync[] = [];
  const kubectls: number[] = [];
  // The first of each fills caches of the server and of kubectl.
  for (let round = 0; round <= rounds; round++) {
    const kubectlMs = await runKubectl(cluster, places.home);
    const sync = await runSync(cluster, program);
    log(`kubectl ${kubectlMs.toFixed(0)} ms, reflector ${sync.tookMs.toFixed(0)} ms`);
    if (sync.nodes !== population.nodes || sync.pods !== population.pods) {
      throw new Error(`synced ${sync.nodes} nodes and ${sync.pods} pods, which is not all`);
    }
    if (round === 0) continue;
    kubectls.push(kubectlMs);
    ours.push(sync);
  }
  const syncMs = median(ours.map(({ tookMs }) => tookMs));
  const kubectlMs = median(kubectls);
  const peakMB = Math.max(...ours.map(({ peakBytes }) => peakBytes)) / megabyte;
  const measured = { provenance: "measured", better: "lower" } as const;
  const limits = quick ? {} : { limit: 1 };
  return {
    metrics: [
      { name: "sync by the reflector", value: syncMs, unit: "ms", ...measured },
      { name: "kubectl get -o json", value: kubectlMs, unit: "ms", ...measured },
      {
        name: "reflector to kubectl",
        value: syncMs / kubectlMs,
        unit: "ratio",
        ...measured,
        ...limits,
      },
      { name: "peak memory of the process", value: peakMB, unit: "MB", ...measured, limit: 400 },
    ],
    notes: [
      `${population.nodes} nodes and ${population.pods} pods, median of ${rounds}, whole processes from start to end`,
      "kubectl writes to /dev/null and sees the server's answers from the same machine",
    ],
  };
}

async function prepare(cluster: Cluster, population: Population, log: (text: string) => void) {
  const config = await loadKubeConfig({ path: cluster.kubeconfigPath, env: {}, clock });
  const random = createRng("bench").stream("population");
  const client = createKubeClient({ config, clock, random, socketsMax: 32 });
  const account = {
    group: "",
    version: "v1",
    plural: "serviceaccounts",
    kind: "ServiceAccount",
    namespaced: true,
  };
  try {
    const hasAccount = () =>
      client.get(account, { namespace: "default", name: "default" }).then(
        () => true,
        () => false,
      );
    await waitUntil("pods can be created", hasAccount);
    // Controllers would take these nodes for dead and clear them.
    for (const name of ["controller-manager", "scheduler"] as const)
      await cluster.component(name).kill();
    await populate(client, population, log);
    const { metadata } = await client.listPage(resourceTypes.pods, { limit: 1 });
    log(`all there at version ${metadata.resourceVersion}`);
  } finally {
    client.close();
  }
}

interface Sync {
  readonly nodes: number;
  readonly pods: number;
  readonly peakBytes: number;
  readonly tookMs: number;
}

async function runSync(cluster: Cluster, program: string): Promise<Sync> {
  const { tookMs, stdout } = await timed(process.execPath, [program, cluster.kubeconfigPath], {});
  return { ...(JSON.parse(stdout) as Omit<Sync, "tookMs">), tookMs };
}

async function runKubectl(cluster: Cluster, home: string): Promise<number> {
  const { kubectl = "kubectl" } = partPrograms([kubernetes]);
  const args = ["get", "nodes,pods", "-A", "-o", "json"];
  const env = { KUBECONFIG: cluster.kubeconfigPath, HOME: home };
  const { tookMs } = await timed(kubectl, args, { env, discard: true });
  return tookMs;
}

/** Runs a program and takes its time from start to end. */
function timed(
  file: string,
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly discard?: boolean },
): Promise<{ readonly tookMs: number; readonly stdout: string }> {
  const startedMs = clock.monotonicMs();
  const stdout = options.discard === true ? "ignore" : "pipe";
  const child = spawn(file, args, {
    stdio: ["ignore", stdout, "inherit"],
    env: { PATH: process.env["PATH"], ...options.env },
    timeout: 300_000,
  });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve({ tookMs: clock.monotonicMs() - startedMs, stdout: text });
      else reject(new Error(`${file} ended with ${code}`));
    });
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
