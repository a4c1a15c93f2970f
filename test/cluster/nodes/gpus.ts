import type { KubeApi } from "../control-plane/kube-api.ts";
import { gpuResource, gpusPerNode } from "./node.ts";

/** Gives a node its simulated GPUs. The kubelet keeps what it finds in its node's status. */
export async function offerGpus(api: KubeApi, nodeName: string): Promise<void> {
  const key = gpuResource.replace("/", "~1");
  const value = String(gpusPerNode);
  await api.patch(`/api/v1/nodes/${nodeName}/status`, [
    { op: "add", path: `/status/capacity/${key}`, value },
    { op: "add", path: `/status/allocatable/${key}`, value },
  ]);
}
