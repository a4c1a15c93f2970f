import { join } from "node:path";
import type { ChaosPlan, PodsWorkload } from "../../chaos/plan/index.ts";
import type { World } from "../../chaos/world.ts";
import type { Invocation } from "../invocation.ts";
import { openKube } from "./open-kube.ts";

/** The pods of the cluster of the configuration. The connection is closed when a run is over. */
export async function openKubernetesWorld(invocation: Invocation): Promise<World> {
  const [{ createKubernetesWorld, kubernetesRefusals }, { hostFolderDefault }] = await Promise.all([
    import("../../chaos/kubernetes/index.ts"),
    import("../../chaos/host/host-world.ts"),
  ]);
  return {
    name: "kubernetes",
    refusals: (plan) => kubernetesRefusals(plan, { nodeHook: false }),
    run: async (plan, options) => {
      const { client, random } = await openKube(invocation);
      const folder = join(hostFolderDefault(), "kubernetes");
      try {
        const { clock } = invocation;
        return await createKubernetesWorld({ client, clock, random, folder }).run(plan, options);
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
  const { client } = await openKube(invocation);
  try {
    await dryRunOnCluster(plan, { client }, invocation.signal);
  } finally {
    client.close();
  }
}

/** The pods of a workload, for targets that are chosen by chance when the plan is made. */
export async function podsOf(
  invocation: Invocation,
  workload: Pick<PodsWorkload, "namespace" | "selector">,
): Promise<readonly { readonly namespace: string; readonly name: string }[]> {
  const { listWorkloadPods } = await import("../../chaos/kubernetes/index.ts");
  const { client } = await openKube(invocation);
  try {
    const pods = await listWorkloadPods(client, workload, { signal: invocation.signal });
    return pods.map(({ name }) => ({ namespace: workload.namespace, name }));
  } finally {
    client.close();
  }
}
