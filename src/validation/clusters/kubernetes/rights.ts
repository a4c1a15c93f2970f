import { type ResourceType, type Right, resourceTypes } from "../../../platform/kube/index.ts";
import { volcanoJobs } from "./template/check-shape.ts";

/** Who needs a right: whoever looks, whoever starts jobs, whoever closes and opens nodes. */
export const kubernetesRoles = ["reader", "submitter", "cordoner"] as const;
export type KubernetesRole = (typeof kubernetesRoles)[number];

export interface KubernetesRight {
  readonly role: KubernetesRole;
  readonly type: ResourceType;
  readonly verbs: readonly string[];
  /** `cluster`: a ClusterRole; `namespace`: a Role in the namespace of jobs. */
  readonly scope: "cluster" | "namespace";
  /** Needed only where Volcano runs the jobs. */
  readonly volcano?: true;
  readonly why: string;
}

const { nodes, pods, jobs, leases } = resourceTypes;

/** Every right that validation uses, for the doctor, the documentation and the chart. */
export const kubernetesRights: readonly KubernetesRight[] = [
  {
    role: "reader",
    type: nodes,
    verbs: ["list", "watch"],
    scope: "cluster",
    why: "which nodes there are, ready and open",
  },
  {
    role: "reader",
    type: pods,
    verbs: ["list", "watch"],
    scope: "cluster",
    why: "what users' pods hold, and how they end",
  },
  {
    role: "reader",
    type: jobs,
    verbs: ["list", "watch"],
    scope: "namespace",
    why: "where our own jobs stand",
  },
  {
    role: "reader",
    type: volcanoJobs,
    verbs: ["list", "watch"],
    scope: "namespace",
    volcano: true,
    why: "where our own jobs stand",
  },
  {
    role: "submitter",
    type: leases,
    verbs: ["get", "create", "update"],
    scope: "namespace",
    why: "so that of several loops one leads",
  },
  {
    role: "submitter",
    type: jobs,
    verbs: ["get", "create", "delete"],
    scope: "namespace",
    why: "starting and cancelling checks",
  },
  {
    role: "submitter",
    type: volcanoJobs,
    verbs: ["get", "create", "delete"],
    scope: "namespace",
    volcano: true,
    why: "starting and cancelling checks",
  },
  {
    role: "cordoner",
    type: nodes,
    verbs: ["get", "patch"],
    scope: "cluster",
    why: "labelling nodes, closing those that fail and opening those that pass",
  },
];

/** The rights of some roles, one verb each, as the doctor asks for them. */
export function rightsOf(options: {
  readonly roles: readonly KubernetesRole[];
  readonly namespace: string;
  readonly volcano: boolean;
}): readonly Right[] {
  return kubernetesRights
    .filter(({ role }) => options.roles.includes(role))
    .filter(({ type }) => type === (options.volcano ? volcanoJobs : jobs) || !isJobs(type))
    .flatMap(({ type, verbs, scope }) =>
      verbs.map((verb) => ({
        verb,
        type,
        ...(scope === "cluster" ? {} : { namespace: options.namespace }),
      })),
    );
}

function isJobs(type: ResourceType): boolean {
  return type === jobs || type === volcanoJobs;
}
