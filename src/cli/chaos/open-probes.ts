import type { Probes } from "../../chaos/experiment/index.ts";
import type { KubeClient } from "../../platform/kube/index.ts";
import type { Invocation } from "../invocation.ts";

export interface OpenedProbes {
  readonly probes: Probes;
  close(): void;
}

/** Who asks the questions of a plan; a cluster is connected to when the first question is about one. */
export async function openProbes(invocation: Invocation): Promise<OpenedProbes> {
  const { createProbes } = await import("../../chaos/experiment/index.ts");
  let client: KubeClient | undefined;
  const kube = async () => {
    const [{ values }, { createKubeClient, loadKubeConfig }, { createRng, randomSeed }] =
      await Promise.all([
        invocation.config(),
        import("../../platform/kube/index.ts"),
        import("../../platform/rng/index.ts"),
      ]);
    const { clock, io } = invocation;
    const { kubeconfig: path, context, namespace } = values.kubernetes;
    const config = await loadKubeConfig({ path, context, namespace, env: io.env, clock });
    const random = createRng(values.seed ?? randomSeed()).stream("chaos probes");
    client = createKubeClient({ config, clock, random });
    return client;
  };
  return {
    probes: createProbes({ clock: invocation.clock, kube }),
    close: () => client?.close(),
  };
}
