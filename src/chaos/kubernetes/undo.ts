import { z } from "zod";
import { isNotFound, type KubeClient, resourceTypes } from "../../platform/kube/index.ts";
import type { Undo, UndoExecutor } from "../ledger/index.ts";
import type { ClusterHooks } from "./kubernetes-options.ts";
import { marks, type NodeObject, networkPolicies } from "./objects.ts";

const cordonSchema = z.object({ node: z.string(), run: z.string(), wasUnschedulable: z.boolean() });
const policySchema = z.object({
  namespace: z.string(),
  name: z.string(),
  pods: z.array(z.string()),
});
const nodeSchema = z.object({ node: z.string() });
const hardwareSchema = z.object({ id: z.string() });

export type CordonUndo = z.output<typeof cordonSchema>;
export type PolicyUndo = z.output<typeof policySchema>;

export const undoes = {
  cordon: (data: CordonUndo): Undo => ({ kind: "restore-cordon", data }),
  policy: (data: PolicyUndo): Undo => ({ kind: "delete-network-policy", data }),
  node: (node: string): Undo => ({ kind: "start-node", data: { node } }),
  hardware: (id: string): Undo => ({ kind: "revert-hardware-fault", data: { id } }),
  /** What was deleted comes back by its controller, or not at all. */
  none: (): Undo => ({ kind: "nothing", data: {} }),
} as const;

/** Takes faults of a cluster back, for the run itself and for whoever comes after it. */
export function createKubernetesUndo(
  client: KubeClient,
  { nodeHook, hardware }: ClusterHooks = {},
): UndoExecutor {
  return async ({ undo }) => {
    switch (undo.kind) {
      case "restore-cordon":
        return restoreCordon(client, cordonSchema.parse(undo.data));
      case "delete-network-policy":
        return deletePolicy(client, policySchema.parse(undo.data));
      case "start-node": {
        const { node } = nodeSchema.parse(undo.data);
        if (nodeHook === undefined) throw new Error(`there is no hook to start ${node} again`);
        return nodeHook.start(node);
      }
      case "revert-hardware-fault": {
        const { id } = hardwareSchema.parse(undo.data);
        if (hardware === undefined) throw new Error(`there is no fault API to take ${id} back`);
        return hardware.revert(id);
      }
      case "nothing":
        return;
      default:
        throw new Error(`nobody knows how to undo ${undo.kind}`);
    }
  };
}

/** Only while the node still bears our mark: what a person did to it since is theirs. */
export async function restoreCordon(
  client: KubeClient,
  { node, run, wasUnschedulable }: CordonUndo,
): Promise<void> {
  try {
    const { metadata } = await client.get<NodeObject>(resourceTypes.nodes, { name: node });
    if (metadata.annotations?.[marks.run] !== run) return;
    const annotations = {
      [marks.run]: null,
      [marks.leaseUntil]: null,
      [marks.wasUnschedulable]: null,
    };
    const spec = { unschedulable: wasUnschedulable ? true : null };
    // The version makes it all or nothing: a mark that is taken away meanwhile is not overwritten.
    const { resourceVersion } = metadata;
    await client.patch(
      resourceTypes.nodes,
      { name: node },
      {
        merge: { metadata: { annotations, resourceVersion }, spec },
      },
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export async function deletePolicy(
  client: KubeClient,
  { namespace, name, pods }: PolicyUndo,
): Promise<void> {
  await ignoreMissing(client.delete(networkPolicies, { namespace, name }));
  await unmarkPods(client, namespace, pods);
}

export async function unmarkPods(
  client: KubeClient,
  namespace: string,
  pods: readonly string[],
): Promise<void> {
  for (const pod of pods) {
    const merge = { metadata: { labels: { [marks.cut]: null } } };
    await ignoreMissing(client.patch(resourceTypes.pods, { namespace, name: pod }, { merge }));
  }
}

async function ignoreMissing(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
