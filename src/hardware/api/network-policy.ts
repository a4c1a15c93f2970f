import type { KubeObject, ResourceType } from "../../platform/kube/index.ts";
import { marks, type PartitionAction } from "../objects/index.ts";

export const networkPolicies = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "networkpolicies",
  kind: "NetworkPolicy",
  namespaced: true,
} as const satisfies ResourceType;

const dnsPorts = [
  { protocol: "UDP", port: 53 },
  { protocol: "TCP", port: 53 },
];

/**
 * The policy that cuts pods off. Whatever no rule names is refused, so each direction has only what
 * stays allowed: name resolution, and the pods that were excepted.
 */
export function networkPolicyOf(
  action: PartitionAction,
  faultName: string,
): KubeObject & { readonly spec: object } {
  const { namespace, policy, podSelector, direction, exceptPods, allowDns = true } = action;
  const peers =
    exceptPods === undefined ? [] : [{ podSelector: { matchLabels: { ...exceptPods } } }];
  const cutsIn = direction !== "egress";
  const cutsOut = direction !== "ingress";
  return {
    metadata: {
      name: policy,
      namespace,
      labels: { "app.kubernetes.io/managed-by": "tessera", [marks.madeFor]: faultName },
    },
    spec: {
      podSelector: { matchLabels: { ...podSelector } },
      policyTypes: [...(cutsIn ? ["Ingress"] : []), ...(cutsOut ? ["Egress"] : [])],
      ...(cutsIn ? { ingress: peers.map((peer) => ({ from: [peer] })) } : {}),
      ...(cutsOut
        ? {
            egress: [
              ...(allowDns ? [{ ports: dnsPorts }] : []),
              ...peers.map((peer) => ({ to: [peer] })),
            ],
          }
        : {}),
    },
  };
}
