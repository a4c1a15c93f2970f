import type { NodeObject, PodObject, WorkloadRef } from "../../../../src/hardware/objects/index.ts";
import type { KubeObject } from "../../../../src/platform/kube/index.ts";

export const deployment: WorkloadRef = { namespace: "serving", name: "vllm", kind: "deployment" };
export const statefulSet: WorkloadRef = { namespace: "serving", name: "vllm", kind: "statefulset" };
export const job: WorkloadRef = { namespace: "serving", name: "train", kind: "job" };
export const leaderWorkerSet: WorkloadRef = {
  namespace: "serving",
  name: "vllm",
  kind: "leaderworkerset",
};
export const custom: WorkloadRef = {
  namespace: "serving",
  name: "graph",
  kind: "custom",
  custom: {
    group: "nvidia.com",
    version: "v1alpha1",
    plural: "dynamographdeployments",
    kind: "DynamoGraphDeployment",
    templatePaths: ["spec.services.*.extraPodSpec"],
    podSelector: "app=graph",
  },
};

export const gpus = { limits: { "nvidia.com/gpu": "1" } };

export interface Workload extends KubeObject {
  readonly spec: Record<string, unknown>;
}

/** A container that uses a GPU. */
export function worker(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: "worker", image: "vllm", resources: gpus, ...more };
}

export function deploymentObject(
  containers: readonly unknown[] = [worker()],
  more: { readonly pod?: object; readonly spec?: object } = {},
): Workload {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "vllm", namespace: "serving", uid: "uid-1", resourceVersion: "7" },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "vllm" } },
      strategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" },
      },
      template: {
        metadata: { labels: { app: "vllm" } },
        spec: { containers, ...more.pod },
      },
      ...more.spec,
    },
  };
}

export function pod(
  name: string,
  more: {
    readonly node?: string;
    readonly phase?: string;
    readonly ready?: boolean;
    readonly leaving?: boolean;
    readonly gpu?: boolean;
  } = {},
): PodObject {
  const { node, phase = "Running", ready = true, leaving = false, gpu = true } = more;
  return {
    metadata: {
      name,
      namespace: "serving",
      labels: { app: "vllm" },
      ...(leaving ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: {
      ...(node === undefined ? {} : { nodeName: node }),
      containers: [{ name: "worker", ...(gpu ? { resources: gpus } : {}) }],
    },
    status: { phase, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

export function node(
  name: string,
  more: { readonly ready?: string; readonly cordoned?: boolean } = {},
): NodeObject {
  return {
    metadata: { name },
    spec: more.cordoned === true ? { unschedulable: true } : {},
    status: { conditions: [{ type: "Ready", status: more.ready ?? "True" }] },
  };
}
