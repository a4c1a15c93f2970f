import { TesseraError } from "../../platform/errors/index.ts";
import {
  isNotFound,
  type KubeClient,
  kubeFailureOf,
  listAll,
  type Right,
  resourceTypes,
  reviewAccess,
  rightName,
} from "../../platform/kube/index.ts";
import type { ChaosPlan, PodsWorkload } from "../plan/index.ts";
import {
  marks,
  networkPolicies,
  optInValue,
  type PodObject,
  type PodView,
  viewPod,
} from "./objects.ts";

const podsMax = 10_000;

/** The pods of a workload, as the cluster has them now, by name. */
export async function listWorkloadPods(
  client: KubeClient,
  { namespace, selector }: Pick<PodsWorkload, "namespace" | "selector">,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly PodView[]> {
  const { items } = await listAll<PodView, PodObject>(client, resourceTypes.pods, {
    ...options,
    namespace,
    labelSelector: selector,
    itemsMax: podsMax,
    project: viewPod,
  });
  return items.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Looks whether the plan may and can be carried out here, before anything is broken: the namespace
 * allows it, we have the rights, and what is to be hit belongs to the workload.
 *
 * @throws E_WORLD
 */
export async function checkCluster(
  client: KubeClient,
  plan: ChaosPlan,
  workload: PodsWorkload,
  signal: AbortSignal,
): Promise<readonly PodView[]> {
  await checkOptIn(client, workload.namespace, signal);
  const rights = rightsFor(plan, workload);
  const missing = (await reviewAccess(client, rights, { signal })).filter(
    ({ allowed }) => !allowed,
  );
  if (missing.length > 0) {
    throw refused(`we may not ${missing.map(rightName).join(", ")}`);
  }
  const pods = await listWorkloadPods(client, workload, { signal });
  if (pods.length === 0) {
    throw refused(`no pod of ${workload.namespace} has the labels ${workload.selector}`);
  }
  checkTargets(plan, pods);
  return pods;
}

async function checkOptIn(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  const wanted = `${marks.optIn}=${optInValue}`;
  try {
    const { metadata } = await client.get(resourceTypes.namespaces, { name }, { signal });
    if (metadata.labels?.[marks.optIn] === optInValue) return;
  } catch (error) {
    if (isNotFound(error)) throw refused(`there is no namespace ${name}`);
    if (kubeFailureOf(error)?.status === 403) throw refused(`we may not get namespaces ${name}`);
    throw error;
  }
  throw refused(`the namespace ${name} does not have the label ${wanted}`);
}

/** A node that is taken away or broken takes its pods with it; one that is cordoned none. */
function checkTargets({ faults, limits }: ChaosPlan, pods: readonly PodView[]): void {
  const names = new Set(pods.map(({ name }) => name));
  const hit = new Set<string>();
  for (const { fault, targets } of faults) {
    for (const target of targets) {
      if (target.kind === "pod") {
        if (!names.has(target.name)) throw refused(`the workload has no pod ${target.name}`);
        hit.add(target.name);
      } else if (target.kind === "kubernetes-node" && fault !== "cordon_node") {
        for (const { name, node } of pods) if (node === target.name) hit.add(name);
      }
    }
  }
  const { targetsMax, targetsPercent } = limits;
  if (hit.size > targetsMax) {
    throw refused(`it would hit ${hit.size} pods, and limits.targets allows ${targetsMax}`);
  }
  if (targetsPercent === undefined) return;
  const most = Math.floor((pods.length * targetsPercent) / 100);
  if (hit.size > most) {
    const limit = `limits.targetsPercent allows ${targetsPercent} % of ${pods.length}, which is ${most}`;
    throw refused(`it would hit ${hit.size} pods, and ${limit}`);
  }
}

/** The least that a plan needs. */
export function rightsFor(
  { faults }: Pick<ChaosPlan, "faults">,
  { namespace, progress }: Pick<PodsWorkload, "namespace" | "progress">,
): readonly Right[] {
  const { pods, nodes } = resourceTypes;
  const rights: Right[] = [
    { verb: "list", type: pods, namespace },
    { verb: "watch", type: pods, namespace },
  ];
  if (progress) rights.push({ verb: "get", type: pods, subresource: "log", namespace });
  const names = new Set(faults.map(({ fault }) => fault));
  const kills = faults.filter(({ fault }) => fault === "kill_pod");
  const evicts = kills.filter(({ params }) => params["by"] === "evict");
  if (kills.length > evicts.length) rights.push({ verb: "delete", type: pods, namespace });
  if (evicts.length > 0) {
    rights.push({ verb: "create", type: pods, subresource: "eviction", namespace });
  }
  if (names.has("network_policy")) {
    const verbs = ["create", "list", "patch", "delete"];
    rights.push(...verbs.map((verb) => ({ verb, type: networkPolicies, namespace })));
    rights.push({ verb: "patch", type: pods, namespace });
  }
  if (names.has("cordon_node")) {
    const verbs = ["get", "list", "patch"];
    rights.push(...verbs.map((verb) => ({ verb, type: nodes })));
  } else if (names.has("fail_node")) rights.push({ verb: "get", type: nodes });
  return rights;
}

export function refused(problem: string): TesseraError<"E_WORLD"> {
  return new TesseraError("E_WORLD", { world: "kubernetes", problem });
}
