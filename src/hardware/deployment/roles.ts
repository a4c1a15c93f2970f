import type { KubeObject } from "../../platform/kube/index.ts";
import { labelsOf, type ManifestSettings, partNames } from "./manifest-options.ts";
import { type HardwareRight, type RightHolder, rightsFor } from "./rights.ts";

const rbac = "rbac.authorization.k8s.io";
const apiVersion = `${rbac}/v1`;

const parts = [
  ["api", partNames.api],
  ["agent", partNames.agent],
] as const;

/** Service accounts and roles of our own programs. */
export function partRoles(settings: ManifestSettings): readonly KubeObject[] {
  const { namespace } = settings;
  return parts.flatMap(([holder, name]) => [
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name, namespace, labels: labelsOf(name) },
    },
    role("ClusterRole", { name }, rightsFor(holder, "cluster", settings)),
    binding("ClusterRole", { name }, accountOf(name, settings)),
    role("Role", { name, namespace }, rightsFor(holder, "installation", settings)),
    binding("Role", { name, namespace }, accountOf(name, settings)),
  ]);
}

/** What our programs may do in a namespace under test. */
export function underTestRoles(
  namespace: string,
  settings: ManifestSettings,
): readonly KubeObject[] {
  return parts.flatMap(([holder, name]) => [
    role("Role", { name, namespace }, rightsFor(holder, "under-test", settings)),
    binding("Role", { name, namespace }, accountOf(name, settings)),
  ]);
}

/**
 * Roles for people and the control plane, bound to nobody: `tessera-hardware-runner`, `-injector`,
 * `-viewer` and `-auditor` are bound in the namespaces under test, `-runner-nodes` in the cluster,
 * `-runner-access` where Tessera is.
 */
export function peopleRoles(settings: ManifestSettings): readonly KubeObject[] {
  const { namespace } = settings;
  const named = (holder: RightHolder) => `tessera-hardware-${holder}`;
  return [
    ...(["runner", "injector", "viewer", "auditor"] as const).map((holder) =>
      role("ClusterRole", { name: named(holder) }, rightsFor(holder, "under-test", settings)),
    ),
    role(
      "ClusterRole",
      { name: `${named("runner")}-nodes` },
      rightsFor("runner", "cluster", settings),
    ),
    role(
      "Role",
      { name: `${named("runner")}-access`, namespace },
      rightsFor("runner", "installation", settings),
    ),
  ];
}

interface RoleMeta {
  readonly name: string;
  readonly namespace?: string;
}

function role(
  kind: "Role" | "ClusterRole",
  meta: RoleMeta,
  rights: readonly HardwareRight[],
): KubeObject {
  const rules = rights.map(({ resource, verbs, name }) => {
    const [plural = "", ...group] = resource.split(".");
    return {
      apiGroups: [group.join(".")],
      resources: [plural],
      ...(name === undefined ? {} : { resourceNames: [name] }),
      verbs: [...verbs],
    };
  });
  return { apiVersion, kind, metadata: { ...meta, labels: labelsOf() }, rules } as KubeObject;
}

function binding(kind: "Role" | "ClusterRole", meta: RoleMeta, subject: object): KubeObject {
  return {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { ...meta, labels: labelsOf() },
    roleRef: { apiGroup: rbac, kind, name: meta.name },
    subjects: [subject],
  } as KubeObject;
}

function accountOf(name: string, { namespace }: ManifestSettings) {
  return { kind: "ServiceAccount", name, namespace };
}
