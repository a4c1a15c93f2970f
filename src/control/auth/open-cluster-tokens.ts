import { createKubeClient, type KubeClient, loadKubeConfig } from "../../platform/kube/index.ts";
import { createRng, randomSeed } from "../../platform/rng/index.ts";
import type { ControlPlaneOptions } from "../options.ts";
import type { Releases } from "../releases.ts";

/**
 * A client for whoever vouches for tokens of Kubernetes; undefined where they are not accepted. It
 * opens no connection yet.
 *
 * @throws TesseraError E_KUBECONFIG_* when no cluster is configured that could vouch for anybody
 */
export async function openClusterTokens(
  options: Pick<ControlPlaneOptions, "config" | "clock" | "env" | "kube">,
  releases: Releases,
): Promise<{ readonly client: KubeClient; readonly audiences: readonly string[] } | undefined> {
  const { config, clock, env, kube } = options;
  const { enabled, audiences } = config.server.clusterTokens;
  if (!enabled) return undefined;
  if (kube !== undefined) return { client: kube, audiences };
  const { kubeconfig: path, context, namespace } = config.kubernetes ?? {};
  const kubeConfig = await loadKubeConfig({ path, context, namespace, env, clock });
  const random = createRng(randomSeed()).stream("cluster-tokens");
  const client = createKubeClient({ config: kubeConfig, clock, random });
  releases.add("cluster tokens", async () => client.close());
  return { client, audiences };
}
