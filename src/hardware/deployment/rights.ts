import { type ManifestSettings, partNames } from "./manifest-options.ts";

/** Where a right holds. */
export type RightScope = "cluster" | "installation" | "under-test";

/** Who has it: our own two programs, three roles for people, and one for the control plane. */
export type RightHolder = "api" | "agent" | "runner" | "injector" | "viewer" | "auditor";

/** A right of an installation; the roles and the table of the documentation are made from these. */
export interface HardwareRight {
  readonly holder: RightHolder;
  readonly scope: RightScope;
  /** As kubectl names it: `nodes/status`, `deployments.apps`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly why: string;
  /** Only objects of this name. @default all */
  readonly name?: string;
  /** Only where our own detector also drains. @default false */
  readonly drainOnly?: boolean;
}

/** A right in short: its verbs are parted by blanks. */
type Row = Omit<HardwareRight, "holder" | "scope" | "verbs"> & { readonly verbs: string };

type Rows = Readonly<Record<RightHolder, Partial<Record<RightScope, readonly Row[]>>>>;

const faults = "hardwarefaults.tessera.dev";
const faultStatus = "hardwarefaults/status.tessera.dev";
const policies = "networkpolicies.networking.k8s.io";
const groupSets = "leaderworkersets.leaderworkerset.x-k8s.io";

const rows: Rows = {
  api: {
    cluster: [
      { resource: "tokenreviews.authentication.k8s.io", verbs: "create", why: "learns who calls" },
      {
        resource: "subjectaccessreviews.authorization.k8s.io",
        verbs: "create",
        why: "asks whether the caller may",
      },
      {
        resource: "nodes",
        verbs: "get list watch patch",
        why: "judges the guard's rules, sees what detectors do, puts nodes back as they were",
      },
      {
        resource: "nodes/status",
        verbs: "patch",
        why: "takes back conditions that our line caused",
      },
      { resource: "pods", verbs: "list", why: "finds who shares a node with the workload" },
      { resource: "namespaces", verbs: "get", why: "looks whether a namespace allows faults" },
      {
        resource: "configmaps",
        verbs: "get",
        name: "circuit-breaker",
        why: "reads NVSentinel's breaker",
      },
      { resource: "deployments.apps", verbs: "list", why: "finds out which detectors there are" },
      { resource: "daemonsets.apps", verbs: "list", why: "finds out which detectors there are" },
      {
        resource: "poddisruptionbudgets.policy",
        verbs: "list",
        why: "judges whether budgets allow it",
      },
    ],
    installation: [
      {
        resource: faults,
        verbs: "get list watch create patch delete",
        why: "keeps the faults; nobody else may make one",
      },
      {
        resource: faultStatus,
        verbs: "update",
        why: "writes down how far a fault is, and its undo",
      },
    ],
    "under-test": [
      { resource: "deployments.apps", verbs: "get patch", why: "puts the shim in, takes it out" },
      { resource: "statefulsets.apps", verbs: "get patch", why: "puts the shim in, takes it out" },
      { resource: groupSets, verbs: "get patch", why: "puts the shim in, takes it out" },
      { resource: "jobs.batch", verbs: "get", why: "finds the pods of a Job" },
      { resource: policies, verbs: "get create delete", why: "cuts pods off and lets them back" },
    ],
  },
  agent: {
    cluster: [
      {
        resource: "nodes",
        verbs: "get patch",
        why: "closes its node as a detector, puts it back as it was; an admission policy allows no other node",
      },
      {
        resource: "nodes/status",
        verbs: "patch",
        why: "sets and clears the condition of its node; no other, as above",
      },
      {
        resource: "pods",
        verbs: "list",
        drainOnly: true,
        why: "finds the pods with GPUs on its node",
      },
      {
        resource: "pods/eviction",
        verbs: "create",
        drainOnly: true,
        why: "asks them to leave, as budgets allow",
      },
    ],
    installation: [
      { resource: faults, verbs: "get list watch", why: "pulls its work" },
      {
        resource: faultStatus,
        verbs: "update",
        why: "says what it did and saw, takes back what nobody renews",
      },
    ],
    "under-test": [
      { resource: "deployments.apps", verbs: "get patch", why: "takes the shim out" },
      { resource: "statefulsets.apps", verbs: "get patch", why: "takes the shim out" },
      { resource: groupSets, verbs: "get patch", why: "takes the shim out" },
      { resource: policies, verbs: "get delete", why: "lets pods back" },
    ],
  },
  runner: {
    cluster: [{ resource: "nodes", verbs: "get list watch", why: "sees nodes close and open" }],
    installation: [
      {
        resource: "deployments.apps",
        verbs: "get",
        name: partNames.api,
        why: "finds the fault API, as `kubectl port-forward deployment/…` does",
      },
      { resource: "pods", verbs: "get list", why: "finds its pod" },
      {
        resource: "pods/portforward",
        verbs: "get create",
        why: "reaches it; it listens on its own loopback address alone (new kubectls get, old ones create)",
      },
    ],
    "under-test": [
      {
        resource: faults,
        verbs: "plan inject renew revert read",
        why: "what the fault API asks for; none is a verb of the API server",
      },
      { resource: "pods", verbs: "get list watch", why: "watches the pods recover" },
      { resource: "pods/proxy", verbs: "get", why: "asks the service through the API server" },
      { resource: "services/proxy", verbs: "get", why: "asks the service through the API server" },
      { resource: "deployments.apps", verbs: "get", why: "finds its pods" },
      { resource: "statefulsets.apps", verbs: "get", why: "finds its pods" },
      { resource: groupSets, verbs: "get", why: "finds its pods" },
      { resource: "jobs.batch", verbs: "get", why: "finds its pods" },
    ],
  },
  injector: {
    "under-test": [
      {
        resource: faults,
        verbs: "plan inject renew revert read",
        why: "what the fault API asks for; nothing of the API server's own",
      },
    ],
  },
  viewer: {
    "under-test": [{ resource: faults, verbs: "plan read", why: "looks at plans and faults" }],
  },
  auditor: {
    "under-test": [
      { resource: faults, verbs: "read audit", why: "reads who did what, and who was refused" },
    ],
  },
};

const holders = ["api", "agent", "runner", "injector", "viewer", "auditor"] as const;
const scopes = ["cluster", "installation", "under-test"] as const;

/** Every right of an installation, and what for. */
export const hardwareRights: readonly HardwareRight[] = holders.flatMap((holder) =>
  scopes.flatMap((scope) =>
    (rows[holder][scope] ?? []).map(({ verbs, ...row }) => {
      return { holder, scope, ...row, verbs: verbs.split(" ") };
    }),
  ),
);

/** The rights of one holder in one scope, in this installation. */
export function rightsFor(
  holder: RightHolder,
  scope: RightScope,
  { detector, customWorkloads }: Pick<ManifestSettings, "detector" | "customWorkloads">,
): readonly HardwareRight[] {
  const known = hardwareRights.filter(
    (right) =>
      right.holder === holder &&
      right.scope === scope &&
      (right.drainOnly !== true || detector === "drain"),
  );
  if (scope !== "under-test" || (holder !== "api" && holder !== "agent")) return known;
  const custom = customWorkloads.map(({ group, plural }): HardwareRight => {
    const resource = `${plural}.${group}`;
    return { holder, scope, resource, verbs: ["get", "patch"], why: "takes the shim out" };
  });
  return [...known, ...custom];
}
