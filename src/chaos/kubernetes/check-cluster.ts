import { TesseraError } from "../../platform/errors/index.ts";
import {
  isNotFound,
  type KubeClient,
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
  const rights = rightsFor(plan, workload.namespace);
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
    if (!isNotFound(error)) throw error;
    throw refused(`there is no namespace ${name}`);
  }
  throw refused(`the namespace ${name} does not have the label ${wanted}`);
}

function checkTargets({ faults, limits }: ChaosPlan, pods: readonly PodView[]): void {
  const names = new Set(pods.map(({ name }) => name));
  const hit = new Set<string>();
  for (const target of faults.flatMap(({ targets }) => targets)) {
    if (target.kind === "pod") {
      if (!names.has(target.name)) throw refused(`the workload has no pod ${target.name}`);
      hit.add(target.name);
    }
  }
  if (hit.size > limits.targetsMax) {
    throw refused(`it would hit ${hit.size} pods, and limits.targets allows ${limits.targetsMax}`);
  }
}

/** The least that a plan needs. */
export function rightsFor({ faults }: ChaosPlan, namespace: string): readonly Right[] {
  const { pods, nodes } = resourceTypes;
  const rights: Right[] = [
    { verb: "list", type: pods, namespace },
    { verb: "watch", type: pods, namespace },
  ];
  const names = new Set(faults.map(({ fault }) => fault));
  if (names.has("kill_pod")) rights.push({ verb: "delete", type: pods, namespace });
  if (names.has("network_policy")) {
    const verbs = ["create", "list", "patch", "delete"];
    rights.push(...verbs.map((verb) => ({ verb, type: networkPolicies, namespace })));
    rights.push({ verb: "patch", type: pods, namespace });
  }
  if (names.has("cordon_node")) rights.push({ verb: "patch", type: nodes });
  if (names.has("cordon_node") || names.has("fail_node")) {
    rights.push({ verb: "get", type: nodes }, { verb: "list", type: nodes });
  }
  return rights;
}

export function refused(problem: string): TesseraError<"E_WORLD"> {
  return new TesseraError("E_WORLD", { world: "kubernetes", problem });
}
