import { join } from "node:path";
import { mapConcurrent } from "../../src/platform/concurrency/index.ts";
import { type KubeClient, resourceTypes } from "../../src/platform/kube/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import type { Bench, BenchResult } from "../bench.ts";
import {
  clusterMissing,
  kubectlMs,
  onPopulatedCluster,
  type PopulatedCluster,
} from "../kube/populated-cluster.ts";
import type { Population } from "../kube/population.ts";
import { buildProgram } from "../lib/build-program.ts";
import { median } from "../lib/median.ts";
import { TimedProgram } from "../lib/timed-program.ts";

const clock = createRealClock();
const megabyte = 1e6;
const freedNodes = 10;

export const bench: Bench = {
  name: "validation/discovery",
  description:
    "A new process discovers which nodes of a real API server are free and why the others are not, against kubectl get nodes,pods -A -o json on the same objects in the same run; then follows changes without another list.",
  requires: clusterMissing,
  run: (context) => onPopulatedCluster(context, measure),
};

async function measure(places: PopulatedCluster): Promise<BenchResult> {
  const { quick, log, population } = places;
  const program = join(places.cache, "discovery.mjs");
  await buildProgram(join(import.meta.dirname, "discovery-program.ts"), program);
  const rounds = quick ? 1 : 3;
  const ours: Discovery[] = [];
  const kubectls: number[] = [];
  // The first of each fills caches of the server and of kubectl.
  for (let round = 0; round <= rounds; round++) {
    const theirMs = await kubectlMs(places);
    const found = await discover(places, program, round);
    log(`kubectl ${theirMs.toFixed(0)} ms, discovery ${found.tookMs.toFixed(0)} ms`);
    if (round === 0) continue;
    kubectls.push(theirMs);
    ours.push(found);
  }
  return resultOf({ ours, kubectls, population, quick });
}

function resultOf(measured: {
  readonly ours: readonly Discovery[];
  readonly kubectls: readonly number[];
  readonly population: Population;
  readonly quick: boolean;
}): BenchResult {
  const { ours, population, quick } = measured;
  const most = (pick: (one: Discovery) => number) => Math.max(...ours.map(pick));
  const tookMs = median(ours.map((one) => one.tookMs));
  const theirMs = median(measured.kubectls);
  const lower = { provenance: "measured", better: "lower" } as const;
  const limit = (value: number) => (quick ? {} : { limit: value });
  return {
    metrics: [
      { name: "discovery", value: tookMs, unit: "ms", ...lower },
      { name: "kubectl get -o json", value: theirMs, unit: "ms", ...lower },
      {
        name: "discovery to kubectl",
        value: tookMs / theirMs,
        unit: "ratio",
        ...lower,
        ...limit(1),
      },
      {
        name: "lists after the first",
        value: most((one) => one.furtherLists),
        unit: "lists",
        ...lower,
        limit: 0,
      },
      {
        name: "peak memory of the process",
        value: most((one) => one.peakBytes) / megabyte,
        unit: "MB",
        ...lower,
        limit: 400,
      },
      {
        name: "heap when it follows",
        value: most((one) => one.heapBytes) / megabyte,
        unit: "MB",
        ...lower,
      },
    ],
    notes: [
      `${population.nodes} nodes and ${population.pods} pods, median of ${ours.length}; ours from the start of the process to a view with the reasons of every node, kubectl to its end`,
      `then the pods of ${freedNodes} nodes are deleted and the nodes seen free; the server's own count of lists says how often it was asked`,
      "kubectl writes to /dev/null and sees the server's answers from the same machine",
    ],
  };
}

interface Discovery {
  readonly tookMs: number;
  readonly furtherLists: number;
  readonly peakBytes: number;
  readonly heapBytes: number;
}

async function discover(
  { cluster, client, population }: PopulatedCluster,
  program: string,
  round: number,
): Promise<Discovery> {
  const args = [program, cluster.kubeconfigPath];
  const child = new TimedProgram({ clock, file: process.execPath, args });
  const first = JSON.parse(await child.line()) as { nodes: number; busy: number; free: number };
  const { tookMs } = child;
  const freeBefore = round * freedNodes;
  const complete =
    first.nodes === population.nodes &&
    first.free === freeBefore &&
    first.busy === population.nodes - freeBefore;
  if (!complete) throw new Error(`${JSON.stringify(first)} is not the whole cluster`);
  const listsBefore = await listsSoFar(client);
  await freeNodes(client, population, freeBefore);
  child.say(String(freeBefore + freedNodes));
  const then = JSON.parse(await child.line()) as { peakBytes: number; heapBytes: number };
  const furtherLists = (await listsSoFar(client)) - listsBefore;
  await child.end();
  return { tookMs, furtherLists, ...then };
}

/** Deletes the pods of the next few nodes. */
async function freeNodes(client: KubeClient, { nodes, pods }: Population, from: number) {
  const names = Array.from({ length: pods }, (_, index) => index)
    .filter((index) => index % nodes >= from && index % nodes < from + freedNodes)
    .map((index) => `worker-${String(index).padStart(6, "0")}`);
  await mapConcurrent(names, 16, (name) =>
    client.delete(resourceTypes.pods, { namespace: "default", name }, { gracePeriodSeconds: 0 }),
  );
}

/** How often the server was asked for a list of nodes, pods or jobs, by its own account. */
async function listsSoFar(client: KubeClient): Promise<number> {
  const text = await client.getText("/metrics");
  return text
    .split("\n")
    .filter((line) => line.startsWith("apiserver_request_total{") && line.includes('verb="LIST"'))
    .filter((line) => /resource="(nodes|pods|jobs)"/.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
