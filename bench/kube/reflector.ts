import { join } from "node:path";
import { createRealClock } from "../../src/platform/time/index.ts";
import type { Bench, BenchResult } from "../bench.ts";
import { buildProgram } from "../lib/build-program.ts";
import { median } from "../lib/median.ts";
import { TimedProgram } from "../lib/timed-program.ts";
import {
  clusterMissing,
  kubectlMs,
  onPopulatedCluster,
  type PopulatedCluster,
} from "./populated-cluster.ts";

const clock = createRealClock();
const megabyte = 1e6;

export const bench: Bench = {
  name: "kube/reflector",
  description:
    "A new process syncs the nodes and pods of a real API server, against kubectl get nodes,pods -A -o json on the same objects in the same run.",
  requires: clusterMissing,
  run: (context) => onPopulatedCluster(context, measure),
};

async function measure(places: PopulatedCluster): Promise<BenchResult> {
  const { quick, log, population } = places;
  const program = join(places.cache, "sync.mjs");
  await buildProgram(join(import.meta.dirname, "sync-program.ts"), program);
  const rounds = quick ? 1 : 3;
  const ours: Sync[] = [];
  const theirs: number[] = [];
  // The first of each fills caches of the server and of kubectl.
  for (let round = 0; round <= rounds; round++) {
    const theirMs = await kubectlMs(places);
    const sync = await runSync(places, program);
    log(`kubectl ${theirMs.toFixed(0)} ms, reflector ${sync.tookMs.toFixed(0)} ms`);
    if (sync.nodes !== population.nodes || sync.pods !== population.pods) {
      throw new Error(`synced ${sync.nodes} nodes and ${sync.pods} pods, which is not all`);
    }
    if (round === 0) continue;
    theirs.push(theirMs);
    ours.push(sync);
  }
  const syncMs = median(ours.map(({ tookMs }) => tookMs));
  const theirMs = median(theirs);
  const peakMB = Math.max(...ours.map(({ peakBytes }) => peakBytes)) / megabyte;
  const measured = { provenance: "measured", better: "lower" } as const;
  const limits = quick ? {} : { limit: 1 };
  return {
    metrics: [
      { name: "sync by the reflector", value: syncMs, unit: "ms", ...measured },
      { name: "kubectl get -o json", value: theirMs, unit: "ms", ...measured },
      {
        name: "reflector to kubectl",
        value: syncMs / theirMs,
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

interface Sync {
  readonly nodes: number;
  readonly pods: number;
  readonly peakBytes: number;
  readonly tookMs: number;
}

async function runSync({ cluster }: PopulatedCluster, program: string): Promise<Sync> {
  const args = [program, cluster.kubeconfigPath];
  const child = new TimedProgram({ clock, file: process.execPath, args });
  const found = JSON.parse(await child.line()) as Omit<Sync, "tookMs">;
  return { ...found, tookMs: await child.end() };
}
