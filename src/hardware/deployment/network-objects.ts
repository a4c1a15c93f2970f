import type { KubeObject } from "../../platform/kube/index.ts";
import { labelsOf, type ManifestSettings, partNames } from "./manifest-options.ts";

/** Nothing is let in anywhere, and the plugin, which talks to the kubelet alone, is let out nowhere. */
export function networkObjects({ namespace }: ManifestSettings): readonly KubeObject[] {
  const policy = (name: string, spec: object) => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace, labels: labelsOf() },
    spec,
  });
  return [
    policy("tessera-no-ingress", { podSelector: {}, policyTypes: ["Ingress"] }),
    policy(`${partNames.kmsg}-no-egress`, {
      podSelector: { matchLabels: labelsOf(partNames.kmsg) },
      policyTypes: ["Egress"],
    }),
  ];
}
