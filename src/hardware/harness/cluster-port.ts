import {
  createReflector,
  type KubeClient,
  type KubeObject,
  listAll,
  resourceTypes,
} from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { NodeObject, PodObject, WorkloadRef } from "../objects/index.ts";
import { podSelector, podsOf, readWorkload } from "../workload/index.ts";

/** What a test sees of the cluster. Every method throws when the cluster cannot be asked. */
export interface ClusterPort {
  node(name: string, signal?: AbortSignal): Promise<NodeObject>;
  nodes(signal?: AbortSignal): Promise<readonly NodeObject[]>;
  /** The pods of the workload under test. */
  pods(signal?: AbortSignal): Promise<readonly PodObject[]>;
  /** The workload's own object. */
  workload(signal?: AbortSignal): Promise<KubeObject>;
  /** Follows one node and the workload's pods; returns how to stop. */
  watch(node: string, listener: ClusterListener): Promise<() => Promise<void>>;
}

/** Hears of changes; of what could not be followed too. */
export interface ClusterListener {
  onNode(node: NodeObject): void;
  onPods(pods: readonly PodObject[]): void;
  onProblem(error: Error): void;
}

const nodesMax = 50_000;

/** The cluster of a client. */
export function createClusterPort(options: {
  readonly client: KubeClient;
  readonly workload: WorkloadRef;
  readonly clock: Clock;
  readonly random: { float(): number };
}): ClusterPort {
  const { client, workload, clock, random } = options;
  const call = (signal?: AbortSignal) => (signal === undefined ? {} : { signal });
  return {
    node: (name, signal) => client.get<NodeObject>(resourceTypes.nodes, { name }, call(signal)),
    nodes: async (signal) => {
      const { items } = await listAll<NodeObject, NodeObject>(client, resourceTypes.nodes, {
        ...call(signal),
        itemsMax: nodesMax,
        project: (node) => node,
      });
      return items;
    },
    pods: (signal) => podsOf(client, workload, call(signal)),
    workload: (signal) => readWorkload(client, workload, call(signal)),
    watch: async (node, listener) => {
      const labelSelector = podSelector(await readWorkload(client, workload), workload);
      const common = { client, clock, random, onFailure: (e: Error) => listener.onProblem(e) };
      const nodes = createReflector<NodeObject, NodeObject>({
        ...common,
        type: resourceTypes.nodes,
        fieldSelector: `metadata.name=${node}`,
        project: (object) => object,
      });
      const pods = createReflector<PodObject, PodObject>({
        ...common,
        type: resourceTypes.pods,
        namespace: workload.namespace,
        labelSelector,
        project: (object) => object,
      });
      nodes.subscribe(() => {
        for (const found of nodes.objects.values()) listener.onNode(found);
      });
      pods.subscribe(() => listener.onPods([...pods.objects.values()]));
      nodes.start();
      pods.start();
      return async () => {
        await Promise.all([nodes.stop(), pods.stop()]);
      };
    },
  };
}
