import assert from "node:assert/strict";

/** A kind of object and where the API keeps it. */
export interface ResourceType {
  /** `batch`; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural in the path: `jobs`. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** One object: its name, and its namespace when its type has one. */
export interface ObjectRef {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The built-in types Tessera uses. Others (Volcano's, a detector's) are declared where they are used. */
export const resourceTypes = {
  nodes: { group: "", version: "v1", plural: "nodes", kind: "Node", namespaced: false },
  namespaces: {
    group: "",
    version: "v1",
    plural: "namespaces",
    kind: "Namespace",
    namespaced: false,
  },
  pods: { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true },
  configMaps: {
    group: "",
    version: "v1",
    plural: "configmaps",
    kind: "ConfigMap",
    namespaced: true,
  },
  jobs: { group: "batch", version: "v1", plural: "jobs", kind: "Job", namespaced: true },
  leases: {
    group: "coordination.k8s.io",
    version: "v1",
    plural: "leases",
    kind: "Lease",
    namespaced: true,
  },
  selfSubjectAccessReviews: {
    group: "authorization.k8s.io",
    version: "v1",
    plural: "selfsubjectaccessreviews",
    kind: "SelfSubjectAccessReview",
    namespaced: false,
  },
} as const satisfies Record<string, ResourceType>;

/** `batch/v1`, or `v1` for the core group. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/**
 * The path of a collection, an object or a subresource. A namespaced collection without a namespace
 * is the one across all namespaces. Every part is escaped; `.` and `..` are refused.
 */
export function resourcePath(
  type: ResourceType,
  where: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    /** `status`, `log`, `eviction`. */
    readonly subresource?: string | undefined;
  } = {},
): string {
  const { namespace, name, subresource } = where;
  assert(type.namespaced || namespace === undefined, `${type.plural} have no namespace`);
  assert(
    !type.namespaced || name === undefined || namespace !== undefined,
    `${type.plural} need a namespace`,
  );
  assert(subresource === undefined || name !== undefined, "a subresource belongs to an object");
  const root = type.group === "" ? ["api"] : ["apis", type.group];
  const parts = [
    ...root,
    type.version,
    ...(namespace === undefined ? [] : ["namespaces", namespace]),
    type.plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.map(escapePart).join("/")}`;
}

/** Adds a query; parameters that are undefined are left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(key, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

function escapePart(part: string): string {
  assert(part !== "" && part !== "." && part !== "..", `"${part}" cannot be part of a path`);
  return encodeURIComponent(part);
}
