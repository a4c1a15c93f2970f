import { quantityToInteger } from "../../platform/kube/index.ts";
import {
  breakerDefaults,
  isGpuNode,
  nvSentinelNames,
  timeOfLabel,
  whoCordoned,
} from "../detectors/index.ts";
import type { NodeObject, PodObject } from "../objects/index.ts";
import type { GuardNode, GuardPod } from "./guard-facts.ts";

const gpuResource = /^nvidia\.com\/(?:gpu|gpu\.shared|mig-.+)$/;

/** What the rules need of a node. */
export function guardNode(node: NodeObject, nowMs: number): GuardNode {
  const { name = "", labels = {}, annotations = {} } = node.metadata;
  const ready = node.status?.conditions?.find(({ type }) => type === "Ready")?.status;
  const hasEvents = annotations[nvSentinelNames.annotations.event] !== undefined;
  return {
    name,
    ready: ready === "True" ? "yes" : ready === "False" ? "no" : "unknown",
    labels,
    cordon: whoCordoned(node),
    hasGpus: isGpuNode(node) || hasGpuResources(node.status?.allocatable),
    countsForBreaker: hasEvents || cordonedLately(labels, nowMs),
  };
}

/** The label stays after a release by hand, and the breaker's memory is as long as its window. */
function cordonedLately(labels: Readonly<Record<string, string>>, nowMs: number): boolean {
  const { cordonTimestamp, uncordonTimestamp } = nvSentinelNames.labels;
  return [labels[cordonTimestamp], labels[uncordonTimestamp]].some((value) => {
    const at = timeOfLabel(value);
    return at !== undefined && nowMs - Date.parse(at) < breakerDefaults.windowMs;
  });
}

/** What the rules need of a pod. */
export function guardPod({ metadata, spec, status }: PodObject): GuardPod {
  const { namespace = "", name = "", labels = {}, ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  return {
    namespace,
    name,
    labels,
    ...(owner === undefined ? {} : { owner: { kind: owner.kind, name: owner.name } }),
    usesGpus: usesGpus(spec),
    hasEnded: status?.phase === "Succeeded" || status?.phase === "Failed",
  };
}

/** A claim does not say here of what it is: it may be a GPU. */
function usesGpus({
  containers = [],
  initContainers = [],
  resourceClaims = [],
}: PodObject["spec"] = {}): boolean {
  return (
    resourceClaims.length > 0 ||
    [...containers, ...initContainers].some(({ resources }) => hasGpuResources(resources?.limits))
  );
}

function hasGpuResources(amounts: Readonly<Record<string, string>> | undefined): boolean {
  return Object.entries(amounts ?? {}).some(
    ([name, amount]) => gpuResource.test(name) && (quantityToInteger(amount) ?? 0) > 0,
  );
}
