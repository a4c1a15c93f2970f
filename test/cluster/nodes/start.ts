import type { ClusterContext } from "../control-plane/context.ts";
import { makeCgroup } from "../machine/cgroups.ts";
import type { Fleet } from "../supervisor/fleet.ts";
import { writeCniConfig } from "./cni.ts";
import { containerdComponent } from "./containerd.ts";
import { kubeletComponent } from "./kubelet.ts";
import { prepareNode, type RealNode } from "./node.ts";
import { proxyComponent } from "./proxy.ts";

/** Makes the real nodes and starts what needs no API server: a containerd each, with the images. */
export async function startRuntimes(context: ClusterContext, fleet: Fleet): Promise<RealNode[]> {
  const indexes = Array.from({ length: context.config.shape.nodes }, (_, index) => index + 1);
  const nodes = indexes.map((index) => prepareNode(context, index));
  await Promise.all(
    nodes.map(async (node) => {
      writeCniConfig(node);
      await fleet.start(containerdComponent(context, node));
    }),
  );
  return nodes;
}

/** Starts a kubelet for each node and the proxy they share; resolves when the nodes are Ready. */
export async function startKubelets(
  context: ClusterContext,
  fleet: Fleet,
  nodes: readonly RealNode[],
): Promise<void> {
  const kubelets = nodes.map(async (node) => {
    makeCgroup(node.cgroup);
    await fleet.start(await kubeletComponent(context, node));
  });
  await Promise.all([...kubelets, fleet.start(await proxyComponent(context))]);
}
