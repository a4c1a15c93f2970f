import { isNotFound, kubeFailureOf, resourceTypes } from "../../platform/kube/index.ts";
import { sleep } from "../../platform/time/index.ts";
import { nvSentinelNames } from "../detectors/nvsentinel/names.ts";
import { type NodeObject, type NodeUndo, ownCondition } from "../objects/index.ts";
import { isNothing, mergeNode, type NodeMerge } from "./merge-node.ts";
import { attemptsMax, callOptions, type TakenBack, type UndoPorts } from "./ports.ts";

const settleMsDefault = 1_000;
const lookMs = 250;

/** Makes a node what it was before, as far as it is ours to do; doing it twice is doing it once. */
export async function takeBackNode(undo: NodeUndo, ports: UndoPorts): Promise<TakenBack> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeBackOnce(undo, ports);
    } catch (error) {
      if (isNotFound(error)) return { left: [`node ${undo.node} is gone`] };
      const stale = kubeFailureOf(error)?.reason === "Conflict";
      if (!stale || attempt >= attemptsMax) throw error;
    }
  }
}

async function takeBackOnce(undo: NodeUndo, ports: UndoPorts): Promise<TakenBack> {
  const node = await readNode(undo.node, ports);
  const merge = mergeNode(undo, node, ports.cause);
  if (!merge.tellsNvSentinel) {
    await write(node, merge, ports);
    return { left: merge.left };
  }
  // Opening the node alone first: that is how NVSentinel learns that its drain and repair are off.
  await writeMain(node, { ...nothingBut(merge), uncordon: true }, ports);
  const noticed = await settled(undo.node, ports);
  const rest = mergeNode(undo, noticed, ports.cause);
  await write(noticed, rest, ports);
  return { left: rest.left };
}

/** The node once NVSentinel has taken its annotation away, or has had the time to. */
async function settled(name: string, ports: UndoPorts): Promise<NodeObject> {
  const { clock, settleMs = settleMsDefault, signal } = ports;
  const untilMs = clock.monotonicMs() + settleMs;
  for (;;) {
    await sleep(clock, Math.min(lookMs, settleMs), signal);
    const node = await readNode(name, ports);
    const noticed =
      node.metadata.annotations?.[nvSentinelNames.annotations.isCordoned] === undefined;
    if (noticed || clock.monotonicMs() >= untilMs) return node;
  }
}

async function write(node: NodeObject, merge: NodeMerge, ports: UndoPorts): Promise<void> {
  if (isNothing(merge)) return;
  const written = await writeMain(node, merge, ports);
  await writeConditions(written, merge, ports);
}

async function writeMain(
  node: NodeObject,
  merge: NodeMerge,
  ports: UndoPorts,
): Promise<NodeObject> {
  const { uncordon, annotations, labels, taints } = merge;
  if (isNothing({ ...merge, conditions: {} })) return node;
  const { name = "", resourceVersion } = node.metadata;
  const patch = {
    metadata: { resourceVersion, annotations, labels },
    spec: {
      ...(uncordon ? { unschedulable: null } : {}),
      ...(taints === undefined ? {} : { taints }),
    },
  };
  return ports.client.patch<NodeObject>(
    resourceTypes.nodes,
    { name },
    { merge: patch },
    callOptions(ports),
  );
}

async function writeConditions(
  node: NodeObject,
  { conditions }: NodeMerge,
  ports: UndoPorts,
): Promise<void> {
  const entries = Object.entries(conditions);
  if (entries.length === 0) return;
  const at = new Date(ports.clock.nowMs()).toISOString().replace(/\.\d+Z$/, "Z");
  const { name = "", resourceVersion } = node.metadata;
  const changes = entries.map(([type, status]) =>
    status === null ? { type, $patch: "delete" } : condition(type, status, at),
  );
  const patch = { metadata: { resourceVersion }, status: { conditions: changes } };
  await ports.client.patch(
    resourceTypes.nodes,
    { name },
    { strategic: patch },
    { ...callOptions(ports), subresource: "status" },
  );
}

function condition(type: string, status: string, at: string) {
  const reason = type === ownCondition ? "Cleared" : `${type}IsHealthy`;
  const message = "The fault of a test was taken back";
  return { type, status, reason, message, lastTransitionTime: at, lastHeartbeatTime: at };
}

function readNode(name: string, ports: UndoPorts): Promise<NodeObject> {
  return ports.client.get<NodeObject>(resourceTypes.nodes, { name }, callOptions(ports));
}

function nothingBut(merge: NodeMerge): NodeMerge {
  const { tellsNvSentinel, left } = merge;
  return { uncordon: false, tellsNvSentinel, annotations: {}, labels: {}, conditions: {}, left };
}
