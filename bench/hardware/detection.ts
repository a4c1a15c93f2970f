import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentPorts, runAgent } from "../../src/hardware/agent/index.ts";
import { openKernelLogWriter } from "../../src/hardware/kernel-log/index.ts";
import { type NodeObject, ownCondition } from "../../src/hardware/objects/index.ts";
import {
  createKubeClient,
  createReflector,
  type KubeClient,
  loadKubeConfig,
  resourceTypes,
} from "../../src/platform/kube/index.ts";
import { createRng, type RngStream } from "../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../src/platform/time/index.ts";
import { startCluster } from "../../test/cluster/fixture.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { Bench, BenchContext, BenchResult } from "../bench.ts";
import { clusterMissing } from "../kube/populated-cluster.ts";
import { median } from "../lib/median.ts";
import { installFaults, namespace } from "./install-faults.ts";

const clock = createRealClock();
const node = "bench-node";
const limitMs = 1000;

export const bench: Bench = {
  name: "hardware/detection",
  description:
    "From the write of a fatal XID to the kernel log until a watch of a real API server shows the condition on the node.",
  requires: clusterMissing,
  run: onCluster,
};

async function onCluster(context: BenchContext): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-bench-"));
  try {
    await using cluster = await startCluster({ onProgress: context.log });
    const config = await loadKubeConfig({ path: cluster.kubeconfigPath, env: {}, clock });
    const random = createRng("bench").stream("detection");
    const client = createKubeClient({ config, clock, random });
    try {
      await installFaults(client);
      await client.create(resourceTypes.nodes, { metadata: { name: node } });
      return await withAgent({ client, folder, random }, () =>
        measure(context, { client, folder, random }),
      );
    } finally {
      client.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Places {
  readonly client: KubeClient;
  readonly folder: string;
  readonly random: RngStream;
}

async function withAgent<T>({ client, folder, random }: Places, use: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const silent = () => undefined;
  const log = { info: silent, warn: silent, error: silent };
  let ready = false;
  const done = runAgent({
    node,
    namespace,
    client,
    clock,
    random,
    log,
    signal: stop.signal,
    controlFolder: folder,
    kernelLog: join(folder, "kmsg"),
    detector: "condition",
    ports: createAgentPorts({ client, clock, log, namespace, node }),
    onReady: () => {
      ready = true;
    },
  });
  try {
    await Promise.race([waitUntil("the agent is ready", () => ready), done]);
    return await use();
  } finally {
    stop.abort();
    await done;
  }
}

async function measure(
  { log, quick }: BenchContext,
  { client, folder, random }: Places,
): Promise<BenchResult> {
  const samples = quick ? 10 : 200;
  const writer = await openKernelLogWriter({ path: join(folder, "kmsg"), allowDevice: false });
  const shown = createReflector<string, NodeObject>({
    client,
    type: resourceTypes.nodes,
    project: messageOn,
    clock,
    random,
  }).start();
  const tookMs: number[] = [];
  try {
    await shown.waitForSync({ timeoutMs: 30_000 });
    // The first one only shows that the agent reads: what came before it is history.
    for (let sample = -1; sample < samples; sample++) {
      // At any moment between two looks at the log.
      await sleep(clock, 500 * random.float());
      const pci = `${(sample + 1).toString(16).padStart(4, "0")}:3b:00`;
      const startedMs = clock.monotonicMs();
      await writer.write(
        `kernel: NVRM: Xid (PCI:${pci}): 79, pid='<unknown>', name=<unknown>, gone`,
      );
      await shown.waitFor((nodes) => nodes.get(node)?.includes(pci) === true, {
        timeoutMs: 30_000,
      });
      if (sample >= 0) tookMs.push(clock.monotonicMs() - startedMs);
    }
  } finally {
    await shown.stop();
    await writer.close();
  }
  const sorted = tookMs.toSorted((one, other) => one - other);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  log(`${samples} lines, the slowest after ${sorted.at(-1)?.toFixed(0)} ms`);
  const figure = { unit: "ms", provenance: "measured", better: "lower" } as const;
  return {
    metrics: [
      { name: "line to condition, median", value: median(tookMs), ...figure },
      { name: "line to condition, 99th percentile", value: p99, ...figure },
      {
        name: "line to condition, slowest",
        value: sorted.at(-1) ?? Number.NaN,
        ...figure,
        ...(quick ? {} : { limit: limitMs }),
      },
    ],
    notes: [
      `${samples} lines at random moments; the log is looked at every 100 ms`,
      "the time ends when a watch hears of the condition, on the same machine as the API server",
    ],
  };
}

function messageOn({ status }: NodeObject): string {
  return status?.conditions?.find(({ type }) => type === ownCondition)?.message ?? "";
}
