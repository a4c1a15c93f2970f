import { skuOf } from "../../sku.ts";
import { xidIn } from "../../xid-in-text.ts";
import { annotationNames, labelNames, managedByUs } from "../labels.ts";
import type { Condition, NodeObject, Taint } from "../objects.ts";
import { type Amounts, amountsOf, type Relevant } from "./amounts.ts";
import { timeMs } from "./time-ms.ts";

/** What is kept of a node. */
export interface NodeSummary {
  readonly name: string;
  readonly uid: string;
  readonly sku: string;
  readonly rack: string;
  /** Only those that selectors look at. */
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Amounts;
  readonly taints: readonly Taint[];
  /** Why its kubelet is not ready; undefined when it is. */
  readonly notReady: string | undefined;
  readonly cordoned: boolean;
  /** Who set that, as far as the API tells. */
  readonly cordonedBy: string | undefined;
  readonly awaitsAcceptance: boolean;
  /** Why it is not to be tested, by a label on it. */
  readonly excluded: boolean;
  /** It is being deleted. */
  readonly leaving: boolean;
  /** The newest driver error that a condition tells of. */
  readonly xid: { readonly number: number; readonly atMs: number | undefined } | undefined;
  /** Changes when the node was repaired. */
  readonly repaired: string | undefined;
}

export interface NodeProjection {
  readonly skuLabels: readonly string[];
  readonly rackLabels: readonly string[];
  /** Labels that selectors look at. */
  readonly labelKeys: readonly string[];
  readonly relevant: Relevant;
}

/** Keeps of a node what decides whether it is free, and what tells of its health. */
export function projectNode(node: NodeObject, projection: NodeProjection): NodeSummary {
  const { metadata, spec, status } = node;
  const { labels = {}, annotations = {} } = metadata;
  const conditions = status?.conditions ?? [];
  const cordoned = spec?.unschedulable === true;
  const exclude = labels[labelNames.exclude];
  return {
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    sku: skuOf(firstOf(labels, projection.skuLabels)),
    rack: firstOf(labels, projection.rackLabels) ?? "",
    labels: pick(labels, projection.labelKeys),
    allocatable: amountsOf(
      status?.allocatable,
      (name) => name === "pods" || projection.relevant(name),
    ),
    taints: spec?.taints ?? [],
    notReady: notReady(conditions),
    cordoned,
    cordonedBy: cordoned ? cordonManager(node) : undefined,
    awaitsAcceptance: cordoned && awaitsAcceptance(node),
    excluded: exclude !== undefined && exclude !== "false",
    leaving: metadata.deletionTimestamp !== undefined,
    xid: xidOf(conditions),
    repaired: annotations[annotationNames.repaired],
  };
}

/** The label stays when somebody opens a node by hand; it counts for a closure of ours or unclaimed. */
export function awaitsAcceptance(node: NodeObject): boolean {
  const { labels = {}, annotations = {} } = node.metadata;
  if (labels[labelNames.awaitsAcceptance] !== "true") return false;
  return annotations[annotationNames.cordonedBy] === undefined || isClosedByUs(node);
}

/**
 * Whether the closure of a node is ours. The annotation alone does not say so: others may have opened
 * the node since and closed it again. Who set the field last does, where the API tells.
 */
export function isClosedByUs(node: NodeObject): boolean {
  if (node.spec?.unschedulable !== true) return false;
  if (node.metadata.annotations?.[annotationNames.cordonedBy] === undefined) return false;
  const manager = cordonManager(node);
  return manager === undefined || manager === managedByUs;
}

function cordonManager({ metadata }: NodeObject): string | undefined {
  const owner = metadata.managedFields?.find(({ fieldsV1 }) => {
    const spec = fieldsV1?.["f:spec"];
    return typeof spec === "object" && spec !== null && "f:unschedulable" in spec;
  });
  return owner?.manager;
}

function notReady(conditions: readonly Condition[]): string | undefined {
  const ready = conditions.find(({ type }) => type === "Ready");
  if (ready === undefined) return "its kubelet has not reported yet";
  if (ready.status === "True") return undefined;
  return shorten(ready.message || ready.reason || `Ready is ${ready.status}`);
}

function xidOf(conditions: readonly Condition[]): NodeSummary["xid"] {
  for (const { status, reason = "", message = "", lastTransitionTime } of conditions) {
    const number = status === "True" ? xidIn(`${message} ${reason}`) : undefined;
    if (number !== undefined) return { number, atMs: timeMs(lastTransitionTime) };
  }
  return undefined;
}

function firstOf(
  labels: Readonly<Record<string, string>>,
  keys: readonly string[],
): string | undefined {
  return keys.map((key) => labels[key]).find((value) => value !== undefined && value !== "");
}

function pick(labels: Readonly<Record<string, string>>, keys: readonly string[]) {
  const picked: Record<string, string> = {};
  for (const key of keys) {
    const value = labels[key];
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

const textCharsMax = 200;

function shorten(text: string): string {
  return text.length <= textCharsMax ? text : `${text.slice(0, textCharsMax)}…`;
}
