import { join } from "node:path";
import { hardwareFaults } from "../../chaos/fault/fault-names.ts";
import type { HardwareHook } from "../../chaos/kubernetes/index.ts";
import type { ChaosPlan, PodsWorkload } from "../../chaos/plan/index.ts";
import type { World } from "../../chaos/world.ts";
import type { Invocation } from "../invocation.ts";
import { openChaosKube } from "./open-chaos-kube.ts";

/** The pods of the cluster of the configuration. The connection is closed when a run is over. */
export async function openKubernetesWorld(invocation: Invocation): Promise<World> {
  const { createKubernetesWorld, kubernetesRefusals } = await import(
    "../../chaos/kubernetes/index.ts"
  );
  return {
    name: "kubernetes",
    refusals: (plan) => kubernetesRefusals(plan, { nodeHook: false, hardware: true }),
    run: async (plan, options) => {
      const { client, random } = await openChaosKube(invocation);
      const folder = await ledgers();
      try {
        await using hooks = await openHooks(invocation, plan);
        const { clock } = invocation;
        const world = createKubernetesWorld({ client, clock, random, folder, ...hooks });
        return await world.run(plan, options);
      } finally {
        client.close();
      }
    },
  };
}

/**
 * What `--dry-run` does on a cluster: the API server is asked about everything, and changes nothing.
 *
 * @throws E_WORLD for whatever a run would be refused for.
 */
export async function rehearseInCluster(invocation: Invocation, plan: ChaosPlan): Promise<void> {
  const { dryRunOnCluster } = await import("../../chaos/kubernetes/index.ts");
  const { client } = await openChaosKube(invocation);
  try {
    await using hooks = await openHooks(invocation, plan);
    await dryRunOnCluster(plan, { client, ...hooks }, invocation.signal);
  } finally {
    client.close();
  }
}

/** Takes back what runs left in a namespace that are gone. @returns what came of it, each in a sentence */
export async function recoverInCluster(
  invocation: Invocation,
  namespace: string,
  faults: readonly { readonly fault: string }[],
): Promise<readonly string[]> {
  const { recoverOnCluster } = await import("../../chaos/kubernetes/index.ts");
  const { client } = await openChaosKube(invocation);
  try {
    await using hooks = await openHooks(invocation, { faults });
    const { clock } = invocation;
    return await recoverOnCluster({ client, clock, folder: await ledgers(), ...hooks }, namespace);
  } finally {
    client.close();
  }
}

async function ledgers(): Promise<string> {
  const { hostFolderDefault } = await import("../../chaos/host/host-world.ts");
  return join(hostFolderDefault(), "kubernetes");
}

/** The fault API, where there are faults for it; nobody else needs one. */
async function openHooks(
  invocation: Invocation,
  plan: { readonly faults: readonly { readonly fault: string }[] },
): Promise<{ readonly hardware?: HardwareHook } & AsyncDisposable> {
  if (!plan.faults.some(({ fault }) => hardwareFaults.has(fault))) {
    return { [Symbol.asyncDispose]: async () => {} };
  }
  const [{ openFaultClient }, { createFaultApiHook }, log] = await Promise.all([
    import("../hw/fault-client.ts"),
    import("./hardware-hook.ts"),
    invocation.log(),
  ]);
  const api = await openFaultClient(invocation);
  const hardware = createFaultApiHook({
    api,
    clock: invocation.clock,
    onProblem: (problem) => log.warn(problem),
  });
  return {
    hardware,
    [Symbol.asyncDispose]: async () => {
      await hardware.close();
      await api[Symbol.asyncDispose]();
    },
  };
}

/** The pods of a workload, for targets that are chosen by chance when the plan is made. */
export async function podsOf(
  invocation: Invocation,
  workload: Pick<PodsWorkload, "namespace" | "selector">,
): Promise<readonly { readonly namespace: string; readonly name: string }[]> {
  const { listWorkloadPods } = await import("../../chaos/kubernetes/index.ts");
  const { client } = await openChaosKube(invocation);
  try {
    const pods = await listWorkloadPods(client, workload, { signal: invocation.signal });
    return pods.map(({ name }) => ({ namespace: workload.namespace, name }));
  } finally {
    client.close();
  }
}
