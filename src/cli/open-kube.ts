import type { KubeClient, KubeClientOptions } from "../platform/kube/index.ts";
import type { RngStream } from "../platform/rng/index.ts";
import type { Invocation } from "./invocation.ts";

export interface OpenedKube {
  readonly client: KubeClient;
  readonly random: RngStream;
}

/** A client for the cluster of the configuration. Opens no connection; whoever gets it closes it. */
export async function openKube(
  invocation: Invocation,
  options: Pick<KubeClientOptions, "socketsMax"> & {
    /** The service account (`namespace/name`) whose rights it has. @default our own */
    readonly actAs?: string;
  } = {},
): Promise<OpenedKube> {
  const [{ values }, { actingAs, createKubeClient, loadKubeConfig }, { createRng, randomSeed }] =
    await Promise.all([
      invocation.config(),
      import("../platform/kube/index.ts"),
      import("../platform/rng/index.ts"),
    ]);
  const { clock, io } = invocation;
  const { kubeconfig: path, context, namespace } = values.kubernetes;
  const own = await loadKubeConfig({ path, context, namespace, env: io.env, clock });
  const { actAs, ...more } = options;
  const config = actAs === undefined ? own : actingAs(own, actAs);
  const random = createRng(values.seed ?? randomSeed()).stream("cluster");
  return { client: createKubeClient({ ...more, config, clock, random }), random };
}
