import { marks, type NodeObject, ownCondition, type Sighting } from "../objects/index.ts";
import { whoCordoned } from "./attribution.ts";
import { nvSentinelNames } from "./nvsentinel/names.ts";

/** What tells one fault's traces on a node from another's. */
export interface FaultTrace {
  readonly correlationId: string;
  readonly xid: number;
  /** `0000:3b:00` */
  readonly pci: string;
}

/** A sighting whose time the node may not tell. */
export type NodeSighting = Omit<Sighting, "at"> & { readonly at?: string };

/**
 * What a node shows of one fault. The correlation id in a detector's own record proves it. NVSentinel
 * drops the text of the line from a condition that grows too long: then code and address count.
 */
export function sightingsOn(node: NodeObject, trace: FaultTrace): readonly NodeSighting[] {
  return [...conditionSightings(node, trace), ...markSightings(node, trace)];
}

function conditionSightings(node: NodeObject, trace: FaultTrace): readonly NodeSighting[] {
  const seen: NodeSighting[] = [];
  for (const { type, status, message = "", lastTransitionTime } of node.status?.conditions ?? []) {
    const at = lastTransitionTime === undefined ? {} : { at: lastTransitionTime };
    if (status !== "True") continue;
    if (type === ownCondition && message.includes(trace.correlationId))
      seen.push({ ...at, by: "tessera", what: "condition", detail: type });
    if (type === nvSentinelNames.conditions.xid && isInCondition(message, trace))
      seen.push({ ...at, by: "nvsentinel", what: "condition", detail: type });
  }
  return seen;
}

function markSightings(node: NodeObject, trace: FaultTrace): readonly NodeSighting[] {
  const { annotations = {}, labels = {} } = node.metadata;
  const { cordoned, by, since } = whoCordoned(node);
  const at = since === undefined ? {} : { at: since };
  const seen: NodeSighting[] = [];
  if (cordoned && by === "tessera" && annotations[marks.cordonedBy] === trace.correlationId)
    seen.push({ by, what: "cordon", detail: marks.cordonedBy });
  const events = annotations[nvSentinelNames.annotations.event] ?? "";
  if (!events.includes(trace.correlationId)) return seen;
  if (cordoned && by === "nvsentinel")
    seen.push({ ...at, by, what: "cordon", detail: nvSentinelNames.annotations.isCordoned });
  const state = labels[nvSentinelNames.labels.state];
  if (state?.startsWith("drain") === true)
    seen.push({ by: "nvsentinel", what: "drain", detail: state });
  return seen;
}

function isInCondition(message: string, { correlationId, xid, pci }: FaultTrace): boolean {
  if (message.includes(correlationId)) return true;
  return message
    .split(";")
    .some((part) => isBare(part) && hasWords(part, [`ErrorCode:${xid}`, `PCI:${pci}`]));
}

/** Without the line: what is left when the condition was too long. */
function isBare(part: string): boolean {
  return !part.includes("tessera=");
}

function hasWords(text: string, words: readonly string[]): boolean {
  const all = text.split(" ");
  return words.every((word) => all.includes(word));
}
