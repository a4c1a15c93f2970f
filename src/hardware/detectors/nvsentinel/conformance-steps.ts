import type { BreakerStatus } from "./breaker.ts";
import type { HealthEvent } from "./health-event.ts";
import { nvSentinelNames } from "./names.ts";
import type { NodeSurface } from "./node-surface.ts";

/** One thing that is done, and what is there afterwards. */
export type ConformanceStep =
  | {
      readonly kind: "event";
      readonly title: string;
      readonly node: string;
      readonly event: HealthEvent;
      readonly expected: NodeSurface;
    }
  | {
      readonly kind: "uncordon";
      readonly title: string;
      readonly node: string;
      readonly expected: NodeSurface;
    }
  | { readonly kind: "breaker"; readonly title: string; readonly expected: BreakerStatus };

const { annotations: notes, labels } = nvSentinelNames;
const gpu = [
  { entityType: "PCI", entityValue: "0000:3b:00" },
  { entityType: "GPU_UUID", entityValue: "GPU-455d8f70-2051-db6c-0430-ffc457bff834" },
];
const otherGpu = [{ entityType: "PCI", entityValue: "0000:5d:00" }];

const cordonLabels = {
  [labels.cordonBy]: nvSentinelNames.service,
  [labels.cordonReason]: "Syslog-fatal-error-ruleset",
  [labels.cordonTimestamp]: "<time>",
};
const untouched: NodeSurface = { unschedulable: false, taints: [], labels: {}, annotations: {} };

/** What the real fault-quarantine was seen to do on a real API server, step by step. */
export const nvSentinelConformance: readonly ConformanceStep[] = [
  unhealthy("fatal XID 79 on n1", { node: "n1", xid: 79, action: 24 }, (event) => closed([event])),
  unhealthy(
    "second fatal XID on n1",
    { node: "n1", xid: 95, action: 2, entities: otherGpu },
    (event) => closed([xid("n1", 79, 24), event]),
  ),
  unhealthy(
    "non-fatal XID 43 on n2 (expect nothing)",
    { node: "n2", xid: 43, action: 0 },
    () => untouched,
  ),
  unhealthy(
    "fatal XID on a node without the GPU label (expect nothing)",
    { node: "nogpu", xid: 79, action: 24 },
    () => untouched,
  ),
  unhealthy(
    "fatal XID on the node that was cordoned before",
    { node: "n7", xid: 79, action: 24 },
    (event) => ({
      ...untouched,
      unschedulable: true,
      labels: { [labels.state]: "quarantined" },
      annotations: { ...eventNotes([event]), [notes.cordonPreExisting]: "True" },
    }),
  ),
  healthy("healthy event for one of two entities of n1", "n1", otherGpu, () =>
    closed([xid("n1", 79, 24)]),
  ),
  healthy("healthy event without entities for n1", "n1", undefined, () => ({
    ...untouched,
    labels: {
      [labels.uncordonBy]: nvSentinelNames.service,
      [labels.uncordonReason]: "Syslog-fatal-error-ruleset-removed",
      [labels.uncordonTimestamp]: "<time>",
    },
  })),
  healthy("healthy event for n7", "n7", undefined, () => ({ ...untouched, unschedulable: true })),
  unhealthy("fatal XID 48 on n2", { node: "n2", xid: 48, action: 2 }, (event) => closed([event])),
  {
    kind: "uncordon",
    title: "kubectl uncordon of n2",
    node: "n2",
    expected: {
      ...untouched,
      labels: cordonLabels,
      annotations: { [notes.uncordonedManually]: "True" },
    },
  },
  unhealthy("4th distinct node cordoned (n3)", { node: "n3", xid: 79, action: 24 }, (event) =>
    closed([event]),
  ),
  unhealthy("5th distinct node of 10 (n4)", { node: "n4", xid: 79, action: 24 }, (event) =>
    closed([event]),
  ),
  { kind: "breaker", title: "breaker after 5th", expected: "CLOSED" },
  healthy("healthy event for n4 right after", "n4", undefined, () => closed([xid("n4", 79, 24)])),
  { kind: "breaker", title: "breaker after the next event", expected: "TRIPPED" },
  unhealthy(
    "fatal event on n5 after the trip (expect nothing)",
    { node: "n5", xid: 79, action: 24 },
    () => untouched,
  ),
];

interface Fault {
  readonly node: string;
  readonly xid: number;
  readonly action: number;
  readonly entities?: typeof gpu;
}

function unhealthy(
  title: string,
  { node, xid: code, action, entities }: Fault,
  expected: (event: HealthEvent) => NodeSurface,
): ConformanceStep {
  const event = xid(node, code, action, entities);
  return { kind: "event", title, node, event, expected: expected(event) };
}

function healthy(
  title: string,
  node: string,
  entities: typeof gpu | undefined,
  expected: () => NodeSurface,
): ConformanceStep {
  const event: HealthEvent = {
    version: 1,
    agent: "syslog-health-monitor",
    componentClass: "GPU",
    checkName: nvSentinelNames.conditions.xid,
    isHealthy: true,
    ...(entities === undefined ? {} : { entitiesImpacted: entities }),
    nodeName: node,
    processingStrategy: 1,
  };
  return { kind: "event", title, node, event, expected: expected() };
}

function xid(node: string, code: number, action: number, entities = gpu): HealthEvent {
  return {
    version: 1,
    agent: "syslog-health-monitor",
    componentClass: "GPU",
    checkName: nvSentinelNames.conditions.xid,
    ...(action === 0 ? {} : { isFatal: true }),
    message: `NVRM: Xid (PCI:0000:3b:00): ${code}, test`,
    ...(action === 0 ? {} : { recommendedAction: action }),
    errorCode: [String(code)],
    entitiesImpacted: entities,
    nodeName: node,
    processingStrategy: 1,
  };
}

function closed(events: readonly HealthEvent[]): NodeSurface {
  return {
    ...untouched,
    unschedulable: true,
    labels: { ...cordonLabels, [labels.state]: "quarantined" },
    annotations: eventNotes(events),
  };
}

function eventNotes(events: readonly HealthEvent[]): Readonly<Record<string, unknown>> {
  return { [notes.event]: events, [notes.isCordoned]: "True" };
}
