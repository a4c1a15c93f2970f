import type { NodeObject, PodObject, WorkloadRef } from "../objects/index.ts";
import { asksForGpus } from "./gpu-resources.ts";
import { workloadError } from "./workload-types.ts";

/** Whether a pod answers: running, ready, and not on its way out. A pending one never does. */
export function isServing({ metadata, status }: PodObject): boolean {
  const isReady = status?.conditions?.some(
    ({ type, status: is }) => type === "Ready" && is === "True",
  );
  return (
    metadata.deletionTimestamp === undefined && status?.phase === "Running" && isReady === true
  );
}

/** Those that ask for GPUs. */
export function gpuPods(pods: readonly PodObject[]): readonly PodObject[] {
  return pods.filter(({ spec }) => spec?.containers?.some(asksForGpus) ?? false);
}

/** Whether the kubelet of a node says that it is well; silence is not. */
export function isNodeReady({ status }: NodeObject): boolean {
  return (
    status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false
  );
}

/** What `podsOnHealthyNodes` finds. */
export interface PlacementVerdict {
  readonly healthy: boolean;
  /** In words, what is wrong first of all, or that all is well. */
  readonly reason: string;
  /** How many serve on healthy nodes. */
  readonly serving: number;
}

export interface PlacementOptions {
  /** No pod may be on these. @default none */
  readonly excludeNode?: string | readonly string[];
  /** How many pods have to serve. */
  readonly wanted: number;
}

/**
 * Whether a workload is whole again: as many pods as wanted serve, each on a node that is ready,
 * open, and none of those left out. Pods that are leaving or have ended no longer count; every other
 * pod has to serve.
 */
export function podsOnHealthyNodes(
  pods: readonly PodObject[],
  nodes: readonly NodeObject[],
  { excludeNode = [], wanted }: PlacementOptions,
): PlacementVerdict {
  const excluded = new Set([excludeNode].flat());
  const byName = new Map(nodes.map((node) => [node.metadata.name ?? "", node]));
  const alive = pods.filter(({ metadata, status }) => {
    const hasEnded = status?.phase === "Succeeded" || status?.phase === "Failed";
    return metadata.deletionTimestamp === undefined && !hasEnded;
  });
  const problems = alive.map((pod) => placementProblem(pod, byName, excluded));
  const serving = problems.filter((problem) => problem === undefined).length;
  const first = problems.find((problem) => problem !== undefined);
  if (first !== undefined) return { healthy: false, reason: first, serving };
  if (serving < wanted) {
    return { healthy: false, reason: `${serving} of ${wanted} pods serve`, serving };
  }
  return { healthy: true, reason: `${serving} pods serve on healthy nodes`, serving };
}

function placementProblem(
  pod: PodObject,
  nodes: ReadonlyMap<string, NodeObject>,
  excluded: ReadonlySet<string>,
): string | undefined {
  const name = `the pod ${pod.metadata.name ?? "?"}`;
  const at = pod.spec?.nodeName;
  if (at === undefined) return `${name} is on no node yet`;
  if (excluded.has(at)) return `${name} is still on ${at}`;
  const node = nodes.get(at);
  if (node === undefined) return `${name} is on ${at}, which the cluster does not know`;
  if (!isNodeReady(node)) return `${name} is on ${at}, which is not ready`;
  if (node.spec?.unschedulable === true) return `${name} is on ${at}, which is cordoned`;
  if (!isServing(pod)) return `${name} on ${at} is ${pod.status?.phase ?? "unknown"}, not serving`;
  return undefined;
}

/**
 * The node that a test breaks: with the most serving GPU pods of the workload, the first by name
 * among equals. Nodes that are closed or not ready already are none.
 *
 * @throws E_HW_WORKLOAD where there is none
 */
export function chooseTargetNode(
  pods: readonly PodObject[],
  nodes: readonly NodeObject[],
  ref: WorkloadRef,
): string {
  const usable = new Set(
    nodes
      .filter((node) => isNodeReady(node) && node.spec?.unschedulable !== true)
      .map(({ metadata }) => metadata.name ?? ""),
  );
  const counts = new Map<string, number>();
  for (const pod of gpuPods(pods).filter(isServing)) {
    const node = pod.spec?.nodeName;
    if (node !== undefined && usable.has(node)) counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(
    ([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1),
  );
  if (first !== undefined) return first[0];
  throw workloadError(
    ref,
    "no pod of it that asks for a GPU serves on a node that is ready and open",
  );
}
