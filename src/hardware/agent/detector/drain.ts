import { messageOf } from "../../../platform/errors/index.ts";
import {
  isNotFound,
  type KubeClient,
  kubeFailureOf,
  listAll,
  resourceTypes,
} from "../../../platform/kube/index.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import type { PodObject } from "../../objects/index.ts";
import { gpuPods } from "../../workload/index.ts";
import type { AgentLog } from "../agent-options.ts";

export interface DrainOptions {
  readonly node: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: AgentLog;
  /** Ends it: the cause is gone, or the agent stops. */
  readonly signal: AbortSignal;
}

const podsMax = 5000;
const roundMs = 2000;
/** An hour: a budget that allows nothing for so long will not. */
const roundsMax = 1800;

/** True for a pod that is asked to leave: one that has a GPU, and that nothing puts back at once. */
export function mustLeave(pod: PodObject): boolean {
  const { metadata, status } = pod;
  if (metadata.deletionTimestamp !== undefined) return false;
  if (status?.phase === "Succeeded" || status?.phase === "Failed") return false;
  if (metadata.ownerReferences?.some(({ kind }) => kind === "DaemonSet") === true) return false;
  // The kubelet's own pods cannot be evicted.
  if (metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined) return false;
  return gpuPods([pod]).length > 0;
}

/**
 * Asks every pod with a GPU to leave a node, round after round until all do. A disruption budget that
 * says no is asked again.
 *
 * @returns how many were asked to and did.
 */
export async function drainNode(options: DrainOptions): Promise<number> {
  const { clock, log, node, signal } = options;
  const gone = new Set<string>();
  for (let round = 0; round < roundsMax; round++) {
    const pods = await listPods(options);
    const leaving = pods.filter(mustLeave);
    if (leaving.length === 0) return gone.size;
    for (const pod of leaving) if (await evict(pod, options)) gone.add(pod.metadata.uid ?? "");
    await sleep(clock, roundMs, signal);
  }
  log.warn({ node }, "pods with GPUs are still on the node");
  return gone.size;
}

async function listPods({ client, node, signal }: DrainOptions): Promise<readonly PodObject[]> {
  const { items } = await listAll<PodObject, PodObject>(client, resourceTypes.pods, {
    fieldSelector: `spec.nodeName=${node}`,
    project: (pod) => pod,
    itemsMax: podsMax,
    signal,
  });
  return items.filter(({ spec }) => spec?.nodeName === node);
}

/** False when a budget, or anything else, is against it for now. */
async function evict(
  { metadata }: PodObject,
  { client, log, signal }: DrainOptions,
): Promise<boolean> {
  const { name = "", namespace, uid } = metadata;
  try {
    const only = uid === undefined ? {} : { uid };
    await client.evict({ name, namespace }, { signal, retryForMs: 0, ...only });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return true;
    const { status } = kubeFailureOf(error) ?? {};
    if (status !== 429) log.warn({ err: error, pod: name }, messageOf(error));
    return false;
  }
}
