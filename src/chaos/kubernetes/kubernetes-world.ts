import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { TesseraError } from "../../platform/errors/index.ts";
import { ownIdentity } from "../../platform/process/process-identity.ts";
import { openLedger, recoverLedgers } from "../ledger/index.ts";
import type { ChaosPlan } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { World, WorldRunOptions } from "../world.ts";
import { checkCluster, refused } from "./check-cluster.ts";
import type { KubernetesWorldOptions } from "./kubernetes-options.ts";
import { clearLeftovers } from "./leftovers.ts";
import { PodWatch } from "./pod-watch.ts";
import { PodsRun } from "./pods-run.ts";
import { readyIn } from "./readiness-book.ts";
import { kubernetesRefusals } from "./refusals.ts";
import { createKubernetesUndo } from "./undo.ts";

let made = 0;

/** Pods of a real cluster, of a namespace whose owners allow it. */
export function createKubernetesWorld(options: KubernetesWorldOptions): World {
  const refusals = (plan: ChaosPlan) =>
    kubernetesRefusals(plan, { nodeHook: options.nodeHook !== undefined });
  return {
    name: "kubernetes",
    refusals,
    run: async (plan, runOptions) => {
      const [problem] = refusals(plan);
      if (problem !== undefined) throw refused(problem.replace(/\.$/, ""));
      return runOnCluster(plan, options, runOptions);
    },
  };
}

async function runOnCluster(
  plan: ChaosPlan,
  world: KubernetesWorldOptions,
  options: WorldRunOptions,
): Promise<RunRecord> {
  const { client, clock } = world;
  const { workload } = plan;
  // What is written about one cluster must not be undone in another.
  const folder = join(world.folder, shortHash(client.config.server.href));
  if (workload.kind !== "pods") {
    throw new TesseraError("E_WORLD", { world: "kubernetes", problem: "the workload is no pods" });
  }
  const run = world.run ?? (await freshName());
  const executor = createKubernetesUndo(client, world.nodeHook);
  await recoverLedgers({ folder, clock, executor });
  const cleared = await clearLeftovers(client, workload.namespace, clock.nowMs());
  const notes = cleared.map((what) => `taken back from an earlier run: ${what}`);
  const pods = await checkCluster(client, plan, workload, options.signal);
  const wanted = readyIn(pods);
  if (wanted < pods.length) {
    throw refused(`${wanted} of the ${pods.length} pods are ready; nothing was broken`);
  }
  const lease = world.leaseMs === undefined ? {} : { leaseMs: world.leaseMs };
  const ledger = await openLedger({ folder, run, clock, ...lease });
  const watch = new PodWatch(world, workload);
  try {
    await watch.start(options.signal);
    const parts = { plan, workload, world, run, ledger, watch, options, wanted, notes };
    return await new PodsRun(parts).carryOut();
  } finally {
    await ledger.revertAll(executor);
    await ledger.close();
    await watch.stop();
  }
}

/** Part of labels and names in the cluster: short, small letters, and of no other runner anywhere. */
async function freshName(): Promise<string> {
  const { pid, startTicks, home } = await ownIdentity();
  return `k-${shortHash(`${home ?? hostname()} ${pid} ${startTicks ?? 0} ${++made}`)}`;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
