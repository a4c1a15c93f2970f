import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import type { KubeClient } from "../../platform/kube/index.ts";
import { ownIdentity } from "../../platform/process/process-identity.ts";
import { type LedgerRecovery, openLedger, recoverLedgers } from "../ledger/index.ts";
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
import { PodsRun } from "./pods-run.ts";
import { readyIn } from "./readiness-book.ts";
import { type HooksThere, kubernetesRefusals } from "./refusals.ts";
import { rehearse } from "./rehearse.ts";
import { createKubernetesUndo } from "./undo.ts";

let made = 0;

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
  // What is written about one cluster must not be undone in another.
  const folder = join(world.folder, shortHash(client.config.server.href));
  assert(workload.kind === "pods", "others were refused");
  const run = world.run ?? (await freshName());
  const executor = createKubernetesUndo(client, world);
  const recovery = await recoverLedgers({ folder, clock, executor });
  const cleared = await clearLeftovers(client, workload.namespace, clock.nowMs());
  const notes = [...recoveryNotes(recovery), ...cleared.map(takenBack)];
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
    const given = { plan, workload, world, run, ledger, watch, options, isReachable };
    const parts = { ...given, wanted, notes };
    return await new PodsRun(parts).carryOut();
  } finally {
    await ledger.revertAll(executor);
    await ledger.close();
    await watch.stop();
  }
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

function recoveryNotes({ undone, failed, damaged }: LedgerRecovery): readonly string[] {
  return [
    ...undone.map(({ fault, target }) => takenBack(`${fault} of ${target}`)),
    ...failed.map(
      ({ fault, target }) => `${fault} of ${target} of an earlier run is still in force`,
    ),
    ...damaged.map(({ file, problem }) => `nobody knows what ${file} left: ${problem}`),
  ];
}

function takenBack(what: string): string {
  return `taken back from an earlier run: ${what}`;
}

/** Part of labels and names in the cluster: short, small letters, and of no other runner anywhere. */
async function freshName(): Promise<string> {
  const { pid, startTicks, home } = await ownIdentity();
  return `k-${shortHash(`${home ?? hostname()} ${pid} ${startTicks ?? 0} ${++made}`)}`;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
