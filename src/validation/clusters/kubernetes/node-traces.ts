import { isClear, type Marks, type NodeTraces } from "../cluster.ts";
import { healthMarks } from "../health-marks.ts";
import { isClosedByUs } from "./discovery/project-node.ts";
import { annotationNames, labelNames } from "./labels.ts";
import type { NodeObject } from "./objects.ts";

/**
 * What of ours is on a node. A closure that another cluster of a configuration signed is that one's, and
 * so is the wish of an administrator who set the label for acceptance without us.
 */
export function tracesOf(node: NodeObject, cluster: string): NodeTraces {
  const { name = "", labels = {}, annotations = {} } = node.metadata;
  const signedBy = annotations[annotationNames.cordonedBy];
  const isOthers = signedBy !== undefined && signedBy !== cluster;
  const ownLabels = [
    healthMarks.label,
    ...(signedBy === cluster ? [labelNames.awaitsAcceptance] : []),
  ];
  const { cordonedBy, cordonReason, cordonedAt } = annotationNames;
  const ownAnnotations = [
    healthMarks.reason,
    healthMarks.since,
    ...(isOthers ? [] : [cordonedBy, cordonReason, cordonedAt]),
  ];
  return {
    node: name,
    isClosedByUs: signedBy === cluster && isClosedByUs(node),
    labels: ownLabels.filter((key) => labels[key] !== undefined),
    annotations: ownAnnotations.filter((key) => annotations[key] !== undefined),
  };
}

/** What takes all of it off and opens what we closed; undefined where there is nothing. */
export function clearPatch(traces: NodeTraces):
  | {
      readonly metadata: { readonly labels: Marks; readonly annotations: Marks };
      readonly spec?: { readonly unschedulable: null };
    }
  | undefined {
  if (isClear(traces)) return undefined;
  const { isClosedByUs: opens, labels, annotations } = traces;
  return {
    metadata: { labels: without(labels), annotations: without(annotations) },
    ...(opens ? { spec: { unschedulable: null } } : {}),
  };
}

function without(keys: readonly string[]): Marks {
  return Object.fromEntries(keys.map((key) => [key, null]));
}
