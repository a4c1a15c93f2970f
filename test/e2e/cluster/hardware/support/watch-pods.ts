import { whoCordoned } from "../../../../../src/hardware/detectors/index.ts";
import type { NodeObject, PodObject } from "../../../../../src/hardware/objects/index.ts";
import { isServing } from "../../../../../src/hardware/workload/index.ts";
import {
  createReflector,
  type KubeClient,
  resourceTypes,
} from "../../../../../src/platform/kube/index.ts";
import { clock, random } from "../../kube/support/connect.ts";

/** What was seen of the pods and nodes of a cluster, in the order it was first seen. */
export interface Sightings {
  /** `node-1 exit 70`: containers that ended by themselves, and where. */
  readonly crashes: ReadonlySet<string>;
  /** `node-1 by tessera`. */
  readonly cordons: ReadonlySet<string>;
  /** Nodes on which a pod served. */
  readonly served: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Follows the pods of a namespace and all nodes. */
export async function watchPods(client: KubeClient, namespace: string): Promise<Sightings> {
  const [crashes, cordons, served] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const common = { client, clock, random };
  const pods = createReflector<PodObject, PodObject>({
    ...common,
    type: resourceTypes.pods,
    namespace,
    project: (pod) => pod,
  });
  const nodes = createReflector<NodeObject, NodeObject>({
    ...common,
    type: resourceTypes.nodes,
    project: (node) => node,
  });
  pods.subscribe(() => {
    for (const pod of pods.objects.values()) {
      const node = pod.spec?.nodeName ?? "";
      if (isServing(pod)) served.add(node);
      for (const { state, lastState } of pod.status?.containerStatuses ?? []) {
        const now = state?.["terminated"] as { readonly exitCode?: number } | undefined;
        const code = lastState?.terminated?.exitCode ?? now?.exitCode;
        if (code !== undefined && code !== 0) crashes.add(`${node} exit ${code}`);
      }
    }
  });
  nodes.subscribe(() => {
    for (const node of nodes.objects.values()) {
      const { cordoned, by } = whoCordoned(node);
      if (cordoned) cordons.add(`${node.metadata.name} by ${by}`);
    }
  });
  pods.start();
  nodes.start();
  await Promise.all([pods, nodes].map((each) => each.waitForSync({ timeoutMs: 30_000 })));
  const stop = async () => {
    await Promise.all([pods.stop(), nodes.stop()]);
  };
  return { crashes, cordons, served, stop };
}
