// A process of its own that discovers a cluster as the loop does:
//   node PROGRAM KUBECONFIG
// Prints a line when its view is current; then waits for a line that says how many free nodes there
// will be, and prints another when it sees them.
import { createInterface } from "node:readline";
import { createKubeClient, loadKubeConfig } from "../../src/platform/kube/index.ts";
import { createLogger } from "../../src/platform/log/index.ts";
import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { getFreeNodeList } from "../../src/validation/clusters/free-nodes.ts";
import { createKubernetesCluster } from "../../src/validation/clusters/kubernetes/index.ts";

const clock = createRealClock();
const random = createRng("bench").stream("discovery");
const [path] = process.argv.slice(2);
const config = await loadKubeConfig({ path, env: {}, clock });
const client = createKubeClient({ config, clock, random });
const log = createLogger({ level: "warn", format: "json", stream: process.stderr, clock });
const cluster = createKubernetesCluster({
  name: "bench",
  client,
  clock,
  random,
  log,
  settings: {
    image: `tessera@sha256:${"0".repeat(64)}`,
    // No controller takes away the taint that every new node has.
    tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists" }],
  },
});
cluster.start();

await seen(() => cluster.view().trust.state === "current");
const { nodes } = cluster.view();
print({
  nodes: nodes.length,
  busy: nodes.filter(({ notFree }) => notFree.some(({ code }) => code === "busy")).length,
  free: getFreeNodeList(cluster.view()).length,
});
for await (const line of createInterface({ input: process.stdin })) {
  await seen(() => getFreeNodeList(cluster.view()).length === Number(line));
  print({
    peakBytes: process.resourceUsage().maxRSS * 1024,
    heapBytes: process.memoryUsage().heapUsed,
  });
}
await cluster.stop();
client.close();

/** Resolves as soon as the condition holds, looked at whenever the view may have changed. */
function seen(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      stop();
      resolve();
    };
    const stop = cluster.subscribe(look);
    look();
  });
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
