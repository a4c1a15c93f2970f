import type { NodeObject } from "../../objects/index.ts";
import {
  addEvent,
  concerns,
  type EventList,
  readEventList,
  removeEvents,
  writeEventList,
} from "./event-list.ts";
import type { HealthEvent } from "./health-event.ts";
import { labelTimestamp, nvSentinelNames } from "./names.ts";

const { annotations: notes, labels } = nvSentinelNames;

/** What fault-quarantine writes beside an event when it has dealt with it. */
export type QuarantineStatus = "Quarantined" | "AlreadyQuarantined" | "UnQuarantined";

/** What an event does to a node. */
export interface QuarantineOutcome {
  /** The node as it shall be; absent: nothing is written. */
  readonly node?: NodeObject;
  readonly status?: QuarantineStatus;
  /** It counts for the circuit breaker. */
  readonly cordons: boolean;
}

const nothing: QuarantineOutcome = { cordons: false };

/** The name of the rule set that fatal lines of the kernel log match, as labels have it. */
const ruleReason = "Syslog-fatal-error-ruleset";
const uncordonReasonMax = 55;

/** Decides what an event does to a node; changes nothing. */
export function quarantineDecision(
  node: NodeObject,
  event: HealthEvent,
  nowMs: number,
): QuarantineOutcome {
  // Its cache of nodes has only those with the label.
  if (!isGpuNode(node)) return nothing;
  const events = readEventList(node.metadata.annotations?.[notes.event]);
  if (events.length > 0) return onClosedNode(node, events, event, nowMs);
  if (event.isHealthy === true || !matchesRule(node, event)) return nothing;
  return { node: close(node, event, nowMs), status: "Quarantined", cordons: true };
}

/** True for a node that NVSentinel sees at all. */
export function isGpuNode(node: NodeObject): boolean {
  return node.metadata.labels?.[nvSentinelNames.gpuLabel] === "true";
}

/** True for labels of a node that its owner took out of NVSentinel's hands. */
export function isOptedOutBy(labels: Readonly<Record<string, string>>): boolean {
  return nvSentinelNames.optOutLabels.some((key) => labels[key] === "false");
}

/**
 * What happens to a closed node that somebody opens by hand: its events are cancelled, and it keeps
 * its `cordon-*` labels. Undefined for any other node.
 */
export function afterManualUncordon(node: NodeObject): NodeObject | undefined {
  const { annotations = {} } = node.metadata;
  if (node.spec?.unschedulable === true || annotations[notes.isCordoned] === undefined)
    return undefined;
  const gone = [
    notes.event,
    notes.isCordoned,
    notes.cordonPreExisting,
    notes.appliedTaints,
    notes.appliedLabels,
  ];
  return changed(node, {
    annotations: { ...nulls(gone), [notes.uncordonedManually]: nvSentinelNames.true },
    labels: { [labels.state]: null },
  });
}

function onClosedNode(
  node: NodeObject,
  events: EventList,
  event: HealthEvent,
  nowMs: number,
): QuarantineOutcome {
  if (event.isHealthy === true) {
    if (!concerns(events, event)) return nothing;
    const left = removeEvents(events, event);
    if (left.length === 0)
      return { node: open(node, nowMs), status: "UnQuarantined", cordons: false };
    return { node: withEvents(node, left), status: "AlreadyQuarantined", cordons: false };
  }
  if (!matchesRule(node, event)) return nothing;
  const more = addEvent(events, event);
  const isNew = writeEventList(more) !== writeEventList(events);
  return {
    ...(isNew ? { node: withEvents(node, more) } : {}),
    status: "AlreadyQuarantined",
    cordons: false,
  };
}

function matchesRule(node: NodeObject, event: HealthEvent): boolean {
  return (
    event.agent === "syslog-health-monitor" &&
    (event.componentClass === "GPU" || event.componentClass === "NIC") &&
    event.isFatal === true &&
    !isOptedOutBy(node.metadata.labels ?? {})
  );
}

function close(node: NodeObject, event: HealthEvent, nowMs: number): NodeObject {
  const wasClosed = node.spec?.unschedulable === true;
  const ownCordon = {
    [labels.cordonBy]: nvSentinelNames.service,
    [labels.cordonReason]: ruleReason,
    [labels.cordonTimestamp]: labelTimestamp(nowMs),
  };
  return changed(node, {
    unschedulable: true,
    annotations: {
      [notes.event]: writeEventList([event]),
      [notes.isCordoned]: nvSentinelNames.true,
      [notes.uncordonedManually]: null,
      [notes.untaintedManually]: null,
      ...(wasClosed ? { [notes.cordonPreExisting]: nvSentinelNames.true } : {}),
    },
    labels: { ...(wasClosed ? {} : ownCordon), [labels.state]: "quarantined" },
  });
}

function open(node: NodeObject, nowMs: number): NodeObject {
  const { annotations = {}, labels: current = {} } = node.metadata;
  const ours = annotations[notes.cordonPreExisting] !== nvSentinelNames.true;
  const reason = current[labels.cordonReason];
  const released = {
    [labels.uncordonBy]: nvSentinelNames.service,
    [labels.uncordonTimestamp]: labelTimestamp(nowMs),
    ...(reason === undefined
      ? {}
      : { [labels.uncordonReason]: `${reason.slice(0, uncordonReasonMax)}-removed` }),
  };
  return changed(node, {
    ...(ours ? { unschedulable: false } : {}),
    annotations: nulls([
      notes.event,
      notes.isCordoned,
      notes.cordonPreExisting,
      notes.appliedTaints,
      notes.appliedLabels,
    ]),
    labels: {
      ...(ours ? released : {}),
      ...nulls([labels.cordonBy, labels.cordonReason, labels.cordonTimestamp, labels.state]),
    },
  });
}

function withEvents(node: NodeObject, events: EventList): NodeObject {
  return changed(node, { annotations: { [notes.event]: writeEventList(events) } });
}

type Changes = Readonly<Record<string, string | null>>;

function changed(
  node: NodeObject,
  change: {
    readonly unschedulable?: boolean;
    readonly annotations?: Changes;
    readonly labels?: Changes;
  },
): NodeObject {
  const { unschedulable } = change;
  return {
    ...node,
    metadata: {
      ...node.metadata,
      annotations: merged(node.metadata.annotations ?? {}, change.annotations ?? {}),
      labels: merged(node.metadata.labels ?? {}, change.labels ?? {}),
    },
    ...(unschedulable === undefined ? {} : { spec: { ...node.spec, unschedulable } }),
  };
}

function merged(
  current: Readonly<Record<string, string>>,
  changes: Changes,
): Record<string, string> {
  const all: Changes = { ...current, ...changes };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function nulls(keys: readonly string[]): Changes {
  return Object.fromEntries(keys.map((key) => [key, null]));
}
