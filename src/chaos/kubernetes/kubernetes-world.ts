import assert from "node:assert/strict";
import { join } from "node:path";
import type { KubeClient } from "../../platform/kube/index.ts";
import { openLedger, recoverLedgers } from "../ledger/index.ts";
import { freshRunName, LiveRun, recoveryNotes, shortHash } from "../live/index.ts";
import type { ChaosPlan, PodsWorkload } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { World, WorldRunOptions } from "../world.ts";
import { checkCluster, refused } from "./check-cluster.ts";
import type { DeedContext } from "./deeds/index.ts";
import type { ClusterHooks, KubernetesWorldOptions } from "./kubernetes-options.ts";
import { clearLeftovers } from "./leftovers.ts";
import type { PodView } from "./objects.ts";
import { openPodReach } from "./pod-reach.ts";
import { PodWatch } from "./pod-watch.ts";
import { PodsJob } from "./pods-job.ts";
import { readyIn } from "./readiness.ts";
import { type HooksThere, kubernetesRefusals } from "./refusals.ts";
import { rehearse } from "./rehearse.ts";
import { createKubernetesUndo } from "./undo.ts";

/** Pods of a real cluster, of a namespace whose owners allow it. */
export function createKubernetesWorld(options: KubernetesWorldOptions): World {
  const refusals = (plan: ChaosPlan) => kubernetesRefusals(plan, hooksThere(options));
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
  const folder = ledgersOf(world);
  assert(workload.kind === "pods", "others were refused");
  const run = world.run ?? (await freshRunName("k"));
  const executor = createKubernetesUndo(client, world);
  const notes = await recoverOnCluster(world, workload.namespace);
  const pods = await checkCluster(client, plan, workload, options.signal);
  const wanted = readyIn(pods);
  if (wanted < pods.length) {
    throw refused(`${wanted} of the ${pods.length} pods are ready; nothing was broken`);
  }
  const isReachable =
    world.isReachable ?? (await openPodReach(client, workload.namespace, options.signal));
  await rehearse(plan, rehearsal({ client, hooks: world, workload, pods }));
  const lease = world.leaseMs === undefined ? {} : { leaseMs: world.leaseMs };
  const ledger = await openLedger({ folder, run, clock, ...lease });
  const watch = new PodWatch(world, workload);
  try {
    await watch.start(options.signal);
    const job = new PodsJob({ workload, world, run, watch, isReachable, wanted });
    const { lookEveryMs, leaseMs } = world;
    const parts = { plan, job, clock, ledger, undo: executor, options, notes };
    return await new LiveRun({ ...parts, lookEveryMs, leaseMs }).carryOut();
  } finally {
    await ledger.revertAll(executor);
    await ledger.close();
    await watch.stop();
  }
}

/**
 * Takes back what earlier runs left in force whose runners are gone.
 *
 * @returns what came of it, each in a sentence
 */
export async function recoverOnCluster(
  world: Omit<KubernetesWorldOptions, "random" | "run">,
  namespace: string,
): Promise<readonly string[]> {
  const { client, clock } = world;
  const executor = createKubernetesUndo(client, world);
  const recovery = await recoverLedgers({ folder: ledgersOf(world), clock, executor });
  const cleared = await clearLeftovers(client, namespace, clock.nowMs());
  return recoveryNotes(recovery, cleared);
}

/** What is written about one cluster must not be undone in another. */
function ledgersOf({ folder, client }: Pick<KubernetesWorldOptions, "folder" | "client">): string {
  return join(folder, shortHash(client.config.server.href));
}

/**
 * Everything that is looked at before a run, and what the API server says to each fault, without breaking
 * anything or taking back what others left.
 *
 * @returns what it would allow, each in a few words.
 * @throws E_WORLD for whatever a run would be refused for.
 */
export async function dryRunOnCluster(
  plan: ChaosPlan,
  { client, ...hooks }: Pick<KubernetesWorldOptions, "client" | "nodeHook" | "hardware">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { workload } = plan;
  const [problem] = kubernetesRefusals(plan, hooksThere(hooks));
  if (problem !== undefined) throw refused(problem.replace(/\.$/, ""));
  assert(workload.kind === "pods", "others were refused");
  const pods = await checkCluster(client, plan, workload, signal);
  return rehearse(plan, rehearsal({ client, hooks, workload, pods }));
}

function hooksThere({ nodeHook, hardware }: ClusterHooks): HooksThere {
  return { nodeHook: nodeHook !== undefined, hardware: hardware !== undefined };
}

function rehearsal(about: {
  readonly client: KubeClient;
  readonly hooks: ClusterHooks;
  readonly workload: PodsWorkload;
  readonly pods: readonly PodView[];
}): DeedContext {
  const { client, hooks, workload, pods } = about;
  const byName = new Map(pods.map((pod) => [pod.name, pod]));
  return {
    client,
    nodeHook: hooks.nodeHook,
    hardware: hooks.hardware,
    namespace: workload.namespace,
    run: "k-dry-run",
    pods: () => pods,
    pod: (name) => byName.get(name),
    leaseUntilMs: () => 0,
  };
}
