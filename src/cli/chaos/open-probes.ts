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
    const { openChaosKube } = await import("./open-chaos-kube.ts");
    ({ client } = await openChaosKube(invocation));
    return client;
  };
  return {
    probes: createProbes({ clock: invocation.clock, kube }),
    close: () => client?.close(),
  };
}
