import type { KubeObject } from "../../platform/kube/index.ts";
import { labelsOf, type ManifestSettings, partNames } from "./manifest-options.ts";

/** The claim of a pod's token that names its node (Kubernetes 1.30 and later). */
const nodeClaim = "authentication.kubernetes.io/node-name";

/**
 * Roles cannot say "its own node", so an admission policy does: an agent changes no other, even if
 * its token is stolen. A token without the claim changes none.
 */
export function ownNodePolicy({ namespace }: ManifestSettings): readonly KubeObject[] {
  const name = `${partNames.agent}-own-node`;
  const metadata = { name, labels: labelsOf(partNames.agent) };
  const account = `system:serviceaccount:${namespace}:${partNames.agent}`;
  const apiVersion = "admissionregistration.k8s.io/v1";
  const policy = {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata,
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["CREATE", "UPDATE", "DELETE"],
            resources: ["nodes", "nodes/status"],
          },
        ],
      },
      matchConditions: [
        { name: "by-an-agent", expression: `request.userInfo.username == "${account}"` },
      ],
      validations: [
        {
          expression: `request.?userInfo.extra["${nodeClaim}"].orValue([]).exists(node, node == request.name)`,
          message: "an agent changes only the node that it runs on",
        },
      ],
    },
  };
  const binding = {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata,
    spec: { policyName: name, validationActions: ["Deny"] },
  };
  return [policy, binding];
}
