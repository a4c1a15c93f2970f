import { hardwareRights } from "../../src/hardware/deployment/index.ts";
import { kubernetesRights } from "../../src/validation/clusters/kubernetes/index.ts";

/** When the chart makes an account, or gives it a right. */
export const chartSwitches = {
  validation: "validation is on",
  acting: "`validation.act` is `on`",
  experiments: "`experiments.worlds` has `kubernetes`",
  cordonNodes: "the same, and `experiments.cordonNodes`",
  clusterTokens: "`server.clusterTokens.enabled`",
  injection: "`injection.enabled`",
} as const;
export type ChartSwitch = keyof typeof chartSwitches;

/** Where a right holds. */
export const chartPlaces = {
  cluster: "the cluster",
  release: "the release's namespace",
  jobs: "the jobs' namespace",
  experiments: "`experiments.namespaces`",
  injection: "`injection.namespaces`",
} as const;

/** A right that the chart gives to one of its accounts; a test compares all of them with what it renders. */
export interface ChartRight {
  /** The account's name after the release's; empty: the pod's own. */
  readonly account: string;
  readonly when: ChartSwitch;
  /** As kubectl names it. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Only objects of these names. @default all */
  readonly names?: string;
  readonly where: keyof typeof chartPlaces;
  readonly why: string;
  readonly isVolcano?: boolean;
}

const being = { account: "", resource: "serviceaccounts", verbs: ["impersonate"] } as const;
const inRelease = { where: "release", why: "being one of the others, each by name" } as const;
const logins = { account: "", when: "clusterTokens", where: "cluster", verbs: ["create"] } as const;

const own: readonly ChartRight[] = [
  { ...being, ...inRelease, when: "validation", names: "`-reader`, `-submitter`" },
  { ...being, ...inRelease, when: "acting", names: "`-cordoner`" },
  { ...being, ...inRelease, when: "experiments", names: "`-experimenter`" },
  { ...logins, resource: "tokenreviews.authentication.k8s.io", why: "who shows a token" },
  {
    ...logins,
    resource: "subjectaccessreviews.authorization.k8s.io",
    why: "what they may do, here and with hardware faults",
  },
];

const validation = kubernetesRights.map(
  ({ role, type, verbs, scope, volcano, why }): ChartRight => ({
    account: role,
    when: role === "cordoner" ? "acting" : "validation",
    resource: type.group === "" ? type.plural : `${type.plural}.${type.group}`,
    verbs,
    where: scope === "cluster" ? "cluster" : "jobs",
    why: volcano === true ? `${why} (Volcano instead of plain Jobs)` : why,
    isVolcano: volcano === true,
  }),
);

const pods = { account: "experimenter", when: "experiments", where: "experiments" } as const;
const experiments: readonly ChartRight[] = [
  {
    ...pods,
    resource: "pods",
    verbs: ["list", "watch", "delete", "patch"],
    why: "`kill_pod`; a label on those that `network_policy` cuts off",
  },
  { ...pods, resource: "pods/eviction", verbs: ["create"], why: "`kill_pod` with `by: evict`" },
  { ...pods, resource: "pods/log", verbs: ["get"], why: "`progress: true`" },
  { ...pods, resource: "pods/proxy", verbs: ["get"], why: "whether pods answer" },
  {
    ...pods,
    resource: "networkpolicies.networking.k8s.io",
    verbs: ["create", "list", "patch", "delete"],
    why: "`network_policy`",
  },
  { ...pods, resource: "deployments.apps", verbs: ["get"], why: "probes that read one" },
  {
    ...pods,
    where: "cluster",
    resource: "namespaces",
    verbs: ["get"],
    names: "`experiments.namespaces`",
    why: "whether it may be broken",
  },
  {
    ...pods,
    where: "cluster",
    resource: "nodes",
    verbs: ["get", "list"],
    why: "`fail_node`, and what runs left there",
  },
  {
    ...pods,
    where: "cluster",
    when: "cordonNodes",
    resource: "nodes",
    verbs: ["patch"],
    why: "`cordon_node`",
  },
];

const injection = hardwareRights
  .filter(({ holder }) => holder === "injector")
  .map(
    ({ resource, verbs }): ChartRight => ({
      account: "injector",
      when: "injection",
      resource,
      verbs,
      where: "injection",
      why: "what the fault API asks for (`tessera-hardware-injector`); nothing of the cluster's own",
    }),
  );

/** Every right that the chart gives. */
export const chartRights: readonly ChartRight[] = [
  ...own,
  ...injection,
  ...validation,
  ...experiments,
];
