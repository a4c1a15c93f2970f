import type { KubeObject, ResourceType } from "../../platform/kube/index.ts";

export interface PodObject extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly { readonly restartCount?: number }[];
  };
}

export interface NodeObject extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

export const networkPolicies: ResourceType = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "networkpolicies",
  kind: "NetworkPolicy",
  namespaced: true,
};

/** What we write on objects, so that any later run can take back what a dead one left. */
export const marks = {
  /** On a namespace: `allowed` lets experiments break what is in it. */
  optIn: "tessera.dev/chaos",
  /** Label of policies, and annotation of nodes: the run that broke them. */
  run: "tessera.dev/chaos-run",
  /** Label of pods that a policy cuts off. */
  cut: "tessera.dev/chaos-cut",
  /** Annotation, milliseconds since the Unix epoch: after that anybody may take the fault back. */
  leaseUntil: "tessera.dev/chaos-lease-until-ms",
  /** Annotation of a node: what `spec.unschedulable` was, `true` or `false`. */
  wasUnschedulable: "tessera.dev/chaos-was-unschedulable",
} as const;

export const optInValue = "allowed";

/** A pod in short. */
export interface PodView {
  readonly name: string;
  readonly uid: string;
  readonly isReady: boolean;
  /** It ended by itself and well. */
  readonly hasSucceeded: boolean;
  readonly isLeaving: boolean;
  /** Where it runs; undefined: nowhere yet. */
  readonly node: string | undefined;
  /** Of all its containers together. */
  readonly restarts: number;
}

export function viewPod({ metadata, spec, status }: PodObject): PodView {
  const isLeaving = metadata.deletionTimestamp !== undefined;
  const isReady = status?.conditions?.some(
    ({ type, status: is }) => type === "Ready" && is === "True",
  );
  return {
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    isReady: isReady === true && !isLeaving,
    hasSucceeded: status?.phase === "Succeeded",
    isLeaving,
    node: spec?.nodeName,
    restarts: (status?.containerStatuses ?? []).reduce(
      (sum, { restartCount = 0 }) => sum + restartCount,
      0,
    ),
  };
}

/** Whether the kubelet of a node says that it is well; silence is not. */
export function isNodeReady({ status }: NodeObject): boolean {
  return (
    status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false
  );
}
