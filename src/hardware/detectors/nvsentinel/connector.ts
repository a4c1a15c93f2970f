import { type ResourceType, resourceTypes, updateWithRetry } from "../../../platform/kube/index.ts";
import type { NodeObject } from "../../objects/index.ts";
import { conditionsAfter, eventMessage, eventReason } from "./condition.ts";
import type { HealthEvent } from "./health-event.ts";
import type { SimulatorPorts } from "./simulator-options.ts";

/** Kubernetes' own Events. */
const events = {
  group: "",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
} as const satisfies ResourceType;

const eventNamespace = "default";

/** Does what NVSentinel's platform connector does with an event: a node condition, or an Event. */
export async function connectEvent(ports: SimulatorPorts, event: HealthEvent): Promise<void> {
  if (event.processingStrategy !== undefined && event.processingStrategy !== 1) return;
  if (event.isFatal !== true && event.isHealthy !== true)
    return await writeNodeEvent(ports, {
      node: event.nodeName,
      type: event.checkName,
      reason: eventReason(event.checkName, false),
      message: `${eventMessage(event)};`,
      component: event.agent,
    });
  const { client, clock, random } = ports;
  const change = (node: NodeObject) => {
    const conditions = conditionsAfter(node.status?.conditions ?? [], event, clock.nowMs());
    return conditions === undefined
      ? undefined
      : { ...node, status: { ...node.status, conditions } };
  };
  const options = { clock, random, attemptsMax: 10, subresource: "status" };
  await updateWithRetry<NodeObject>(
    client,
    resourceTypes.nodes,
    { name: event.nodeName },
    change,
    options,
  );
}

/** Writes an Event about a node. */
export async function writeNodeEvent(
  ports: SimulatorPorts,
  about: {
    readonly node: string;
    readonly type: string;
    readonly reason: string;
    readonly message: string;
    readonly component: string;
  },
): Promise<void> {
  const { client, clock, random } = ports;
  const { node, type, reason, message, component } = about;
  const at = `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`;
  const suffix = Math.floor(random.float() * 2 ** 48).toString(16);
  const object = {
    metadata: { name: `${node}.${suffix}`, namespace: eventNamespace },
    involvedObject: { kind: "Node", name: node, uid: node },
    type,
    reason,
    message,
    source: { component, host: node },
    reportingComponent: component,
    reportingInstance: node,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
  await client.create(events, object);
}
