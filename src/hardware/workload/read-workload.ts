import {
  type CallOptions,
  isNotFound,
  type KubeClient,
  type KubeObject,
  listAll,
  resourceTypes,
} from "../../platform/kube/index.ts";
import type { PodObject, WorkloadRef } from "../objects/index.ts";
import { isFields, valueAt } from "./json-pointer.ts";
import { workloadError, workloadType } from "./workload-types.ts";

const podsMax = 10_000;

/**
 * A workload as the cluster has it now.
 *
 * @throws E_HW_WORKLOAD where there is none, or it is being deleted
 */
export async function readWorkload(
  client: Pick<KubeClient, "get">,
  ref: WorkloadRef,
  options: CallOptions = {},
): Promise<KubeObject> {
  const { namespace, name } = ref;
  const object = await client
    .get(workloadType(ref), { namespace, name }, options)
    .catch((error: unknown) => {
      if (isNotFound(error)) throw workloadError(ref, "there is none", error);
      throw error;
    });
  if (object.metadata.deletionTimestamp !== undefined) {
    throw workloadError(ref, "it is being deleted");
  }
  return object;
}

/**
 * The pods of a workload by name, also those that are leaving or have ended.
 *
 * @throws E_HW_WORKLOAD where there is no such workload
 */
export async function podsOf(
  client: KubeClient,
  ref: WorkloadRef,
  options: CallOptions = {},
): Promise<readonly PodObject[]> {
  const labelSelector = podSelector(await readWorkload(client, ref, options), ref);
  const { items } = await listAll<PodObject, PodObject>(client, resourceTypes.pods, {
    ...options,
    namespace: ref.namespace,
    labelSelector,
    itemsMax: podsMax,
    project: (pod) => pod,
  });
  return items
    .filter((pod) => isOwned(pod, ref))
    .toSorted((one, other) => ((one.metadata.name ?? "") < (other.metadata.name ?? "") ? -1 : 1));
}

/**
 * The selector of a workload's pods, as kubectl writes it. Pure.
 *
 * @throws E_HW_WORKLOAD where it has none: that would be every pod of the namespace
 */
export function podSelector(object: KubeObject, ref: WorkloadRef): string {
  const selector = selectorText(object, ref);
  if (selector === "") throw workloadError(ref, "it does not say which pods are its own");
  return selector;
}

function selectorText(object: KubeObject, ref: WorkloadRef): string {
  if (ref.kind === "custom") return ref.custom?.podSelector.trim() ?? "";
  if (ref.kind === "leaderworkerset") return `leaderworkerset.sigs.k8s.io/name=${ref.name}`;
  const labels = valueAt(object, "/spec/selector/matchLabels");
  const expressions = valueAt(object, "/spec/selector/matchExpressions");
  const equal = Object.entries(isFields(labels) ? labels : {}).map(
    ([key, value]) => `${key}=${String(value)}`,
  );
  const rest = Array.isArray(expressions) ? expressions.map((one) => expressionText(one, ref)) : [];
  return [...equal, ...rest].join(",");
}

function expressionText(expression: unknown, ref: WorkloadRef): string {
  const { key, operator, values } = isFields(expression) ? expression : {};
  const list = Array.isArray(values) ? values.join(",") : "";
  switch (operator) {
    case "In":
      return `${String(key)} in (${list})`;
    case "NotIn":
      return `${String(key)} notin (${list})`;
    case "Exists":
      return String(key);
    case "DoesNotExist":
      return `!${String(key)}`;
    default:
      throw workloadError(ref, `its selector has the operator ${String(operator)}`);
  }
}

const ownerKinds = {
  deployment: "ReplicaSet",
  statefulset: "StatefulSet",
  job: "Job",
} as const;

/** Labels can be copied; a pod of another controller is not this workload's. */
function isOwned({ metadata }: PodObject, ref: WorkloadRef): boolean {
  if (ref.kind === "custom" || ref.kind === "leaderworkerset") return true;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return true;
  if (owner.kind !== ownerKinds[ref.kind]) return false;
  return ref.kind === "deployment" || owner.name === ref.name;
}
