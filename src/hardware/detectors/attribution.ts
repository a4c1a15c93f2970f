import { marks, type NodeObject } from "../objects/index.ts";
import { nvSentinelNames, timeOfLabel } from "./nvsentinel/names.ts";

/** Who closed a node to new pods. */
export type CordonedBy = "nvsentinel" | "tessera" | "other" | "nobody";

export interface Cordon {
  readonly cordoned: boolean;
  readonly by: CordonedBy;
  /** RFC 3339, where its marks say it. */
  readonly since?: string;
  /** What on the node says so, in words. */
  readonly evidence: string;
}

/**
 * Says by its marks who closed a node. NVSentinel's `cordon-by` label proves nothing: it stays after
 * somebody opened the node by hand. What counts is the annotation that it has closed the node, unless
 * another says that the node was closed before.
 */
export function whoCordoned(node: NodeObject): Cordon {
  if (node.spec?.unschedulable !== true)
    return { cordoned: false, by: "nobody", evidence: "the node takes new pods" };
  const { annotations = {}, labels = {} } = node.metadata;
  const names = nvSentinelNames.annotations;
  const preExisting = annotations[names.cordonPreExisting] === nvSentinelNames.true;
  if (annotations[names.isCordoned] === nvSentinelNames.true && !preExisting) {
    const since = timeOfLabel(labels[nvSentinelNames.labels.cordonTimestamp]);
    return {
      cordoned: true,
      by: "nvsentinel",
      ...(since === undefined ? {} : { since }),
      evidence: `annotation ${names.isCordoned}`,
    };
  }
  const correlationId = annotations[marks.cordonedBy];
  if (correlationId !== undefined)
    return {
      cordoned: true,
      by: "tessera",
      evidence: `annotation ${marks.cordonedBy}=${correlationId}`,
    };
  const why = preExisting
    ? `annotation ${names.cordonPreExisting}: it was closed before NVSentinel came`
    : "no detector's mark";
  return { cordoned: true, by: "other", evidence: why };
}
