// The orchestrator of the continuous validation framework, step by step: discover, look up,
// prioritize, run in batches. The cluster is simulated; with `createKubernetesCluster` the same
// lines run on a real one. `tessera validate` does all of this, for ever, and judges the results.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRealClock, loadConfig, openStore } from "tessera-qa/platform";
import {
  buildPriorityQueue,
  createSimulatedCluster,
  createStoreLeadership,
  getDbLatestStatus,
  getFreeNodeList,
  openHistory,
  plannedRuns,
  resolveValidationSettings,
  runBatch,
} from "tessera-qa/validation";

const thresholdDays = 7;
const folder = await mkdtemp(join(tmpdir(), "tessera-job-runner-"));
const clock = createRealClock();
const store = await openStore({ url: `sqlite:${join(folder, "validation.db")}`, clock });
const history = openHistory(store);
const { values } = await loadConfig({ env: {}, cwd: folder });
const settings = resolveValidationSettings(values, "simulated");
const checks = settings.checks.map(({ name }) => name);

const cluster = createSimulatedCluster({
  name: "simulated",
  seed: "job-runner",
  nodes: 24,
  speed: 20_000,
  onResult: (result, way) => {
    const from = { origin: "pod", atMs: cluster.clock.nowMs(), way, digest: "" } as const;
    history.recordResult(result, from).catch((error: unknown) => console.error(error));
  },
});
cluster.start();

const view = cluster.view();
const freeNodes = getFreeNodeList(view);
console.log(`${freeNodes.length} of ${view.nodes.length} nodes are free.`);

const latestStatus = await getDbLatestStatus(history, cluster.name, checks, view.atMs);
const queue = buildPriorityQueue(freeNodes, latestStatus, thresholdDays);
console.log(`${queue.length} runs are due; first ${queue[0]?.node}: ${queue[0]?.reason}.`);

const leadership = createStoreLeadership({ store, clock, name: "job-runner", holder: folder });
leadership.start();
await new Promise<void>((resolve) => {
  const stop = leadership.subscribe(() => {
    if (!leadership.isLeader()) return;
    stop();
    resolve();
  });
});
const { runs } = await runBatch({
  entries: plannedRuns(queue, view, settings).slice(0, 12),
  cluster,
  history,
  settings,
  leadership,
  clock,
  jobs: { token: (runId) => runId },
});
for (const run of runs) {
  const { node, check } = run.entry;
  const end = "record" in run ? (run.record.result?.outcome ?? "open") : run.skipped;
  console.log(`${node.name}  ${check}  ${end}`);
}

const after = await getDbLatestStatus(history, cluster.name, checks, cluster.clock.nowMs());
const still = buildPriorityQueue(freeNodes, after, thresholdDays);
console.log(`${still.length} runs are still due on these nodes.`);

await leadership.stop();
await cluster.stop();
await store.close();
await rm(folder, { recursive: true });
