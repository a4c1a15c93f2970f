import { type KubeClient, resourceTypes } from "../../platform/kube/index.ts";
import { detectorKeys } from "../detectors/index.ts";
import type { HardwareFault, NodeObject, NodeUndo } from "../objects/index.ts";

/**
 * Remembers a node as it is, before a fault on it. Where other faults are in force there, what they
 * remember is taken over: what a detector did because of them is not how the node was.
 *
 * @param inForce the faults on the node; see `FaultBook.list`
 */
export async function snapshotNode(
  client: Pick<KubeClient, "get">,
  node: string,
  inForce: readonly HardwareFault[] = [],
): Promise<NodeUndo> {
  return nodeUndoFor(await client.get<NodeObject>(resourceTypes.nodes, { name: node }), inForce);
}

/** What has to be put back on a node as it is now. */
export function nodeUndoFor(node: NodeObject, inForce: readonly HardwareFault[]): NodeUndo {
  const { name = "", annotations = {}, labels = {} } = node.metadata;
  const earlier = inForce
    .toSorted((one, other) => (madeAt(one) < madeAt(other) ? -1 : 1))
    .flatMap(({ status }) => status?.undo ?? [])
    .find((entry) => entry.kind === "node" && entry.node === name && entry.doneAt === undefined);
  if (earlier?.kind === "node") return { kind: "node", node: name, before: earlier.before };
  const statuses = Object.fromEntries(
    (node.status?.conditions ?? []).map(({ type, status }) => [type, status]),
  );
  return {
    kind: "node",
    node: name,
    before: {
      unschedulable: node.spec?.unschedulable === true,
      taints: node.spec?.taints ?? [],
      annotations: pick(annotations, detectorKeys.annotations),
      labels: pick(labels, detectorKeys.labels),
      conditions: pick(statuses, detectorKeys.conditions),
    },
  };
}

function pick(
  values: Readonly<Record<string, string>>,
  keys: readonly string[],
): Readonly<Record<string, string | null>> {
  return Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));
}

function madeAt({ metadata, status }: HardwareFault): string {
  return `${status?.history?.[0]?.at ?? metadata.creationTimestamp ?? ""} ${metadata.name ?? ""}`;
}
