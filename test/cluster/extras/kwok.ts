import { ports } from "../control-plane/addresses.ts";
import type { ClusterContext } from "../control-plane/context.ts";
import type { KubeObject } from "../control-plane/kube-api.ts";
import { http } from "../machine/http.ts";
import { isReady } from "../nodes/conditions.ts";
import { gpuResource, gpusPerNode } from "../nodes/node.ts";
import type { ComponentSpec } from "../supervisor/component.ts";

const marker = { key: "kwok.x-k8s.io/node", value: "fake" };
const createdAtOnce = 16;

/** KWOK, which plays the kubelet of the nodes that carry its annotation; no other node. */
export async function kwokComponent(context: ClusterContext): Promise<ComponentSpec> {
  const { clusterAddress, shape } = context.config;
  return {
    name: "kwok",
    program: context.program("kwok"),
    args: [
      `--kubeconfig=${await context.kubeconfigFor("tessera:kwok", "system:masters")}`,
      "--manage-all-nodes=false",
      `--manage-nodes-with-annotation-selector=${marker.key}=${marker.value}`,
      "--node-lease-duration-seconds=40",
      `--node-ip=${clusterAddress}`,
      `--node-port=${ports.kwok}`,
      `--server-address=127.0.0.1:${ports.kwok}`,
      "--cidr=10.245.0.1/16",
    ],
    // A thousand nodes take a few seconds each way on two cores.
    startTimeoutMs: 120_000 + shape.kwok * 100,
    healthy: async () => {
      const url = `http://127.0.0.1:${ports.kwok}/healthz`;
      return (await http(url, { timeoutMs: 2000 })).status === 200;
    },
  };
}

/** Registers the simulated nodes, a few at a time. */
export async function createKwokNodes(context: ClusterContext): Promise<void> {
  const indexes = Array.from({ length: context.config.shape.kwok }, (_, index) => index + 1);
  for (let from = 0; from < indexes.length; from += createdAtOnce) {
    const some = indexes.slice(from, from + createdAtOnce);
    await Promise.all(some.map((index) => context.api.create("/api/v1/nodes", kwokNode(index))));
  }
}

/** True when KWOK has made every one of its nodes Ready. */
export async function kwokNodesReady(context: ClusterContext): Promise<boolean> {
  const list = await context.api.get("/api/v1/nodes?labelSelector=tessera.test/node%3Dkwok");
  return (list?.items ?? []).filter(isReady).length >= context.config.shape.kwok;
}

/** A simulated node with GPUs. Tainted, so that only pods meant for such nodes land there. */
export function kwokNode(index: number): KubeObject {
  const name = `kwok-${index}`;
  const resources = {
    cpu: "64",
    memory: "512Gi",
    pods: "110",
    [gpuResource]: String(gpusPerNode),
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      annotations: { [marker.key]: marker.value },
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "tessera.test/node": "kwok",
        [`${gpuResource}.present`]: "true",
        [`${gpuResource}.count`]: String(gpusPerNode),
        [`${gpuResource}.product`]: "Simulated",
      },
    },
    spec: { taints: [{ ...marker, effect: "NoSchedule" }] },
    status: { capacity: resources, allocatable: resources },
  };
}
